"""Has the reference's classifiers train on the same rows in another order.

The loss of a fit is a mean over its rows, so its minimum is the same in every order; only the order of sums in `f32` changes. What
a score loses or gains by it is what rounding decides (docs/protocol.md, 15.1).
"""

import numpy as np
from sklearn.linear_model import LogisticRegression


def shuffle_training_rows(seed: int) -> None:
    """Every fit of this process from now on takes its rows in an order drawn by `seed`."""
    fit = LogisticRegression.fit

    def shuffled(self, rows, labels, *rest, **named):
        order = np.random.RandomState(seed).permutation(len(rows))
        return fit(self, np.asarray(rows)[order], np.asarray(labels)[order], *rest, **named)

    LogisticRegression.fit = shuffled
