//! Ranking measures over graded judgements, as trec_eval defines them, and nAUC and p-MRR.
