"""The same training steps as a plain PyTorch loop: one thread, one optimiser per loss.

Arguments: folder of the data, step (sac-cql or iql), hidden units, rows, features, actions. Prints
a line of JSON about PyTorch; then, for each number that it reads, makes as many updates and prints
their seconds and the losses of the last one.
"""
import json
import math
import sys
import time

import torch
import torch.nn.functional as functional
from torch import nn

RATE = 3e-4
DISCOUNT = 0.99
FOLLOWING_RATE = 0.005
LARGEST_NORM = 10.0
ENTROPY_SHARE = 0.3
EXPECTILE = 0.7
SHARPNESS = 3.0
LARGEST_PREFERENCE = 100.0


def read(folder, name, *shape, kind=torch.float32):
    suffix = "i64" if kind == torch.int64 else "f32"
    with open(f"{folder}/{name}.{suffix}", "rb") as file:
        return torch.frombuffer(bytearray(file.read()), dtype=kind).reshape(*shape)


def networks(folder, name, count, features, hidden, heads):
    """Networks whose first weights lie one after the other, each layer [in, out] and its bias."""
    values = read(folder, name, -1)
    made, at = [], 0
    for _ in range(count):
        layers = []
        for inner, outer in ((features, hidden), (hidden, hidden), (hidden, heads)):
            layer = nn.Linear(inner, outer)
            with torch.no_grad():
                layer.weight.copy_(values[at:at + inner * outer].reshape(inner, outer).T)
                layer.bias.copy_(values[at + inner * outer:at + inner * outer + outer])
            at += inner * outer + outer
            layers += [layer, nn.ReLU()]
        made.append(nn.Sequential(*layers[:-1]))
    return made


class Minimised:
    """Parameters with their optimiser."""

    def __init__(self, parameters):
        self.parameters = list(parameters)
        self.adam = torch.optim.Adam(self.parameters, lr=RATE)

    def step(self, loss):
        self.adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, LARGEST_NORM)
        self.adam.step()


class Learner:
    def __init__(self, folder, hidden, features, actions):
        self.actor, = networks(folder, "actor", 1, features, hidden, actions)
        self.critics = networks(folder, "critics", 2, features, hidden, actions)
        self.slow = networks(folder, "critics", 2, features, hidden, actions)
        self.actor_minimised = Minimised(self.actor.parameters())
        self.critics_minimised = Minimised(p for c in self.critics for p in c.parameters())

    def follow(self):
        with torch.no_grad():
            for slow, critic in zip(self.slow, self.critics):
                for behind, ahead in zip(slow.parameters(), critic.parameters()):
                    behind.lerp_(ahead, FOLLOWING_RATE)


class SacCql(Learner):
    def __init__(self, folder, hidden, features, actions):
        super().__init__(folder, hidden, features, actions)
        self.log_temperature = torch.zeros(1, requires_grad=True)
        self.temperature_minimised = Minimised([self.log_temperature])
        self.least_entropy = ENTROPY_SHARE * math.log(actions)

    def update(self, states, following, actions, rewards, continues):
        temperature = self.log_temperature.exp()
        with torch.no_grad():
            log = functional.log_softmax(self.actor(following), -1)
            least = torch.minimum(self.slow[0](following), self.slow[1](following))
            value = (log.exp() * (least - temperature * log)).sum(-1, keepdim=True)
            aim = rewards + DISCOUNT * continues * value
        values = [critic(states) for critic in self.critics]
        critic_loss = 0
        for each in values:
            logged = each.gather(1, actions)
            gap = torch.logsumexp(each, -1, keepdim=True) - logged
            critic_loss = critic_loss + (0.5 * (logged - aim) ** 2 + gap).mean()
        log = functional.log_softmax(self.actor(states), -1)
        chances = log.exp()
        best = torch.minimum(*values).detach()
        actor_loss = (chances * (temperature.detach() * log - best)).sum(-1).mean()
        entropy = -(chances * log).sum(-1).mean().detach()
        temperature_loss = (temperature * (entropy - self.least_entropy)).sum()
        self.critics_minimised.step(critic_loss)
        self.actor_minimised.step(actor_loss)
        self.temperature_minimised.step(temperature_loss)
        self.follow()
        return {"critics": critic_loss, "actor": actor_loss, "logTemperature": temperature_loss}


class Iql(Learner):
    def __init__(self, folder, hidden, features, actions):
        super().__init__(folder, hidden, features, actions)
        self.value, = networks(folder, "value", 1, features, hidden, 1)
        self.value_minimised = Minimised(self.value.parameters())

    def update(self, states, following, actions, rewards, continues):
        with torch.no_grad():
            least = torch.minimum(self.slow[0](states), self.slow[1](states)).gather(1, actions)
            aim = rewards + DISCOUNT * continues * self.value(following)
        above = least - self.value(states)
        weight = torch.where(above < 0, 1 - EXPECTILE, EXPECTILE)
        value_loss = (weight * above ** 2).mean()
        critic_loss = 0
        for critic in self.critics:
            critic_loss = critic_loss + (0.5 * (critic(states).gather(1, actions) - aim) ** 2).mean()
        preference = (SHARPNESS * above.detach()).exp().clamp(max=LARGEST_PREFERENCE)
        log = functional.log_softmax(self.actor(states), -1).gather(1, actions)
        actor_loss = -(preference * log).mean()
        self.value_minimised.step(value_loss)
        self.critics_minimised.step(critic_loss)
        self.actor_minimised.step(actor_loss)
        self.follow()
        return {"value": value_loss, "critics": critic_loss, "actor": actor_loss}


def product_rate(size=1024, times=3):
    """Floating point operations per second of a large matrix product."""
    matrix = torch.rand(size, size)
    matrix @ matrix
    start = time.perf_counter()
    for _ in range(times):
        matrix @ matrix
    return times * 2 * size ** 3 / (time.perf_counter() - start)


def main():
    torch.set_num_threads(1)
    folder, step = sys.argv[1:3]
    hidden, rows, features, actions = map(int, sys.argv[3:7])
    batches = list(zip(
        read(folder, "states", -1, rows, features),
        read(folder, "nextStates", -1, rows, features),
        read(folder, "actions", -1, rows, 1, kind=torch.int64),
        read(folder, "rewards", -1, rows, 1),
        read(folder, "continues", -1, rows, 1)))
    learner = {"sac-cql": SacCql, "iql": Iql}[step](folder, hidden, features, actions)
    print(json.dumps({"torch": torch.__version__, "productRate": product_rate()}), flush=True)
    done = 0
    for line in sys.stdin:
        start = time.perf_counter()
        for _ in range(int(line)):
            losses = learner.update(*batches[done % len(batches)])
            done += 1
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds,
                          "losses": {name: loss.item() for name, loss in losses.items()}}), flush=True)


main()
