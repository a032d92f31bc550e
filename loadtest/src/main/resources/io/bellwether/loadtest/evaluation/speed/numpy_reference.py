"""The same estimates with NumPy: one vectorised pass per estimator, then a loop of resamples.

Arguments: folder, rounds, actions, replicates, seed. Prints one JSON object.
"""
import json
import sys
import time

import numpy as np

LIMIT = 10.0


def main():
    folder, rounds, actions, replicates, seed = sys.argv[1], *map(int, sys.argv[2:6])
    start = time.perf_counter()
    action = np.fromfile(folder + "/action.i32", dtype="<i4")
    reward = np.fromfile(folder + "/reward.f64", dtype="<f8")
    propensity = np.fromfile(folder + "/propensity.f64", dtype="<f8")
    target = np.fromfile(folder + "/target.f64", dtype="<f8").reshape(rounds, actions)
    prediction = np.fromfile(folder + "/prediction.f64", dtype="<f8").reshape(rounds, actions)

    each = np.arange(rounds)
    random = np.random.RandomState(seed)
    estimates = {}

    def estimate(name, samples):
        means = np.empty(replicates)
        for replicate in range(replicates):
            means[replicate] = np.mean(random.choice(samples, size=rounds))
        estimates[name] = {
            "value": float(np.mean(samples)),
            "lower": float(np.quantile(means, 0.025)),
            "upper": float(np.quantile(means, 0.975)),
        }

    weight = target[each, action] / propensity
    estimate("ips", weight * reward)
    weight = target[each, action] / propensity
    estimate("snips", weight * reward / np.mean(weight))
    estimate("dm", np.average(prediction, weights=target, axis=1))
    weight = target[each, action] / propensity
    direct = np.average(prediction, weights=target, axis=1)
    estimate("dr", direct + weight * (reward - prediction[each, action]))
    weight = target[each, action] / propensity
    direct = np.average(prediction, weights=target, axis=1)
    kept = np.where(weight <= LIMIT, weight, 0.0)
    estimate("switch-dr", direct + kept * (reward - prediction[each, action]))
    print(json.dumps({
        "numpy": np.__version__,
        "seconds": time.perf_counter() - start,
        "estimates": estimates,
    }))


main()
