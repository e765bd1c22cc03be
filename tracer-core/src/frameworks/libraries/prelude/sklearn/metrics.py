"""How good predictions are: a number that is not known."""

import numpy as np
from _jitlens.python import is_unknown, unknown

from ._arrays import missing


def _score(name):
    def score(y_true, y_pred, **options):
        for given in (y_true, y_pred):
            if not is_unknown(given):
                np.asarray(given)           # raises for tracers: they have no numbers
        plain = all([value is not None and value != "raw_values" for key, value in options.items() if key in ("average", "multioutput")])
        return unknown("float" if plain else "", f"`sklearn.metrics.{name}` is not modelled")

    score.__name__ = name
    return score


accuracy_score = _score("accuracy_score")
balanced_accuracy_score = _score("balanced_accuracy_score")
mean_squared_error = _score("mean_squared_error")
mean_absolute_error = _score("mean_absolute_error")
root_mean_squared_error = _score("root_mean_squared_error")
r2_score = _score("r2_score")
log_loss = _score("log_loss")
roc_auc_score = _score("roc_auc_score")
f1_score = _score("f1_score")
precision_score = _score("precision_score")
recall_score = _score("recall_score")
average_precision_score = _score("average_precision_score")
explained_variance_score = _score("explained_variance_score")


def __getattr__(name):
    return missing("sklearn.metrics", name)
