//! The products that the other kernels compute, in plain loops: what they are compared with.

use super::GROUP;
use super::documents::Stride;
use super::queries::IntegerQueries;
use crate::screen::form::Hit;

/// See [`super::IntegerKernel::multiply`].
pub(super) fn hits(
    documents: &Stride<'_>,
    queries: &IntegerQueries,
    thresholds: &[f32],
    found: &mut Vec<Hit>,
) {
    for (index, group) in documents.groups().enumerate() {
        for document in 0..GROUP {
            for (query, &threshold) in thresholds.iter().enumerate() {
                let words = queries.query(query).zip(group.words);
                let product = words.fold(group.starts[document], |sum, (query, documents)| {
                    sum + queries.width().product(query, documents[document])
                });
                let compared = product as f32 * group.scales[document];
                if compared >= threshold {
                    let score = compared * queries.scale(query);
                    found.push(Hit {
                        document: (index * GROUP + document) as u32,
                        query: query as u32,
                        score,
                    });
                }
            }
        }
    }
}
