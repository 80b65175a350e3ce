//! Classification: few-shot sampling, logistic regression, nearest neighbours and their scores.
