//! The line search of Moré and Thuente (1994) as MINPACK-2's `dcsrch` makes it.

/// A step is accepted if the value falls at least by this share of what the first slope promises …
const SUFFICIENT_DECREASE: f64 = 1e-3;

/// … and the slope is at most this share of the first slope.
const CURVATURE: f64 = 0.9;

/// The search gives up once the bracket is this narrow, relative to its upper end.
const MIN_BRACKET: f64 = 0.1;

/// Longest step.
const MAX_STEP: f64 = 1e10;

/// Looks for a step along a direction that lowers the value enough and flattens the slope enough.
///
/// The caller evaluates the function at a step and hands value and slope to [`LineSearch::next_step`], until that
/// gives none: then the step evaluated last is the result. Source: Moré and Thuente (1994), "Line search algorithms
/// with guaranteed sufficient decrease", in the form of MINPACK-2 that L-BFGS-B 3.0 and scipy 1.17 use, with the
/// tolerances of L-BFGS-B.
#[derive(Clone, Debug)]
pub(super) struct LineSearch {
    start: Trial,
    /// Slope of the line below which the value must fall.
    target_slope: f64,
    bracketed: bool,
    /// False as soon as a step has met the target with a slope that is not negative.
    first_stage: bool,
    /// The best step so far.
    best: Trial,
    /// The other end of the interval that contains a minimum.
    other: Trial,
    width: f64,
    width_before: f64,
    lower: f64,
    upper: f64,
}

/// Value and slope at a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub step: f64,
    pub value: f64,
    pub slope: f64,
}

impl LineSearch {
    /// A search from `value` and the negative `slope` at step 0, whose first trial is at `first_step`.
    pub fn new(value: f64, slope: f64, first_step: f64) -> Self {
        let start = Trial { step: 0.0, value, slope };
        Self {
            start,
            target_slope: SUFFICIENT_DECREASE * slope,
            bracketed: false,
            first_stage: true,
            best: start,
            other: start,
            width: MAX_STEP,
            width_before: 2.0 * MAX_STEP,
            lower: 0.0,
            upper: first_step + 4.0 * first_step,
        }
    }

    /// The step to evaluate after `trial`, or `None` if the search ends with it.
    pub fn next_step(&mut self, trial: Trial) -> Option<f64> {
        let target = self.start.value + trial.step * self.target_slope;
        if self.first_stage && trial.value <= target && trial.slope >= 0.0 {
            self.first_stage = false;
        }
        if self.ends_with(trial, target) {
            return None;
        }
        let step = if self.first_stage && trial.value <= self.best.value && trial.value > target {
            self.modified_update(trial)
        } else {
            self.update(trial)
        };
        Some(self.safeguard(step))
    }

    fn ends_with(&self, trial: Trial, target: f64) -> bool {
        let accepted = trial.value <= target && trial.slope.abs() <= CURVATURE * -self.start.slope;
        let longest = trial.step == MAX_STEP && trial.value <= target && trial.slope <= self.target_slope;
        let shortest = trial.step == 0.0 && (trial.value > target || trial.slope >= self.target_slope);
        accepted || longest || shortest || self.is_exhausted(trial.step)
    }

    /// True if rounding or the width of the bracket leaves nothing to gain.
    fn is_exhausted(&self, step: f64) -> bool {
        let narrow = self.upper - self.lower <= MIN_BRACKET * self.upper;
        self.bracketed && (step <= self.lower || step >= self.upper || narrow)
    }

    /// Updates by the function minus its target line, which has a minimum although the value falls too little.
    fn modified_update(&mut self, trial: Trial) -> f64 {
        let slope = self.target_slope;
        let lowered = |trial: Trial| Trial {
            value: trial.value - trial.step * slope,
            slope: trial.slope - slope,
            ..trial
        };
        self.best = lowered(self.best);
        self.other = lowered(self.other);
        let step = self.update(lowered(trial));
        let raised = |trial: Trial| Trial {
            value: trial.value + trial.step * slope,
            slope: trial.slope + slope,
            ..trial
        };
        self.best = raised(self.best);
        self.other = raised(self.other);
        step
    }

    /// Chooses the next step by interpolation, then moves the ends of the interval (MINPACK-2, `dcstep`).
    fn update(&mut self, trial: Trial) -> f64 {
        let turned = trial.slope * self.best.slope.signum() < 0.0;
        let step = if trial.value > self.best.value {
            self.bracketed = true;
            after_rise(self.best, trial)
        } else if turned {
            self.bracketed = true;
            after_turn(self.best, trial)
        } else if trial.slope.abs() < self.best.slope.abs() {
            self.after_flatter(trial)
        } else {
            self.after_steeper(trial)
        };
        if trial.value > self.best.value {
            self.other = trial;
        } else {
            if turned {
                self.other = self.best;
            }
            self.best = trial;
        }
        step
    }

    /// The value fell, the slope kept its sign and became flatter.
    fn after_flatter(&self, trial: Trial) -> f64 {
        let best = self.best;
        let Cubic { theta, scale } = Cubic::new(best, trial);
        let square = (theta / scale).powi(2) - (best.slope / scale) * (trial.slope / scale);
        let root = scale * square.max(0.0).sqrt();
        let gamma = if trial.step > best.step { -root } else { root };
        let ratio = ((gamma - trial.slope) + theta) / ((gamma + (best.slope - trial.slope)) + gamma);
        let cubic = if ratio < 0.0 && gamma != 0.0 {
            trial.step + ratio * (best.step - trial.step)
        } else if trial.step > best.step {
            self.upper
        } else {
            self.lower
        };
        let secant = secant(best, trial);
        let cubic_is_closer = (cubic - trial.step).abs() < (secant - trial.step).abs();
        if !self.bracketed {
            let step = if (cubic - trial.step).abs() > (secant - trial.step).abs() { cubic } else { secant };
            return step.min(self.upper).max(self.lower);
        }
        let step = if cubic_is_closer { cubic } else { secant };
        let limit = trial.step + 0.66 * (self.other.step - trial.step);
        if trial.step > best.step { step.min(limit) } else { step.max(limit) }
    }

    /// The value fell, the slope kept its sign and did not become flatter.
    fn after_steeper(&self, trial: Trial) -> f64 {
        if self.bracketed {
            let Cubic { theta, scale } = Cubic::new(trial, self.other);
            let square = (theta / scale).powi(2) - (self.other.slope / scale) * (trial.slope / scale);
            let root = scale * square.sqrt();
            let gamma = if trial.step > self.other.step { -root } else { root };
            let ratio =
                ((gamma - trial.slope) + theta) / (((gamma - trial.slope) + gamma) + self.other.slope);
            trial.step + ratio * (self.other.step - trial.step)
        } else if trial.step > self.best.step {
            self.upper
        } else {
            self.lower
        }
    }

    /// Halves a bracket that shrinks too slowly and keeps `step` within its limits.
    fn safeguard(&mut self, mut step: f64) -> f64 {
        let (best, other) = (self.best.step, self.other.step);
        if self.bracketed {
            if (other - best).abs() >= 0.66 * self.width_before {
                step = best + 0.5 * (other - best);
            }
            self.width_before = self.width;
            self.width = (other - best).abs();
            (self.lower, self.upper) = (best.min(other), best.max(other));
        } else {
            self.lower = step + 1.1 * (step - best);
            self.upper = step + 4.0 * (step - best);
        }
        step = step.clamp(0.0, MAX_STEP);
        if self.is_exhausted(step) { best } else { step }
    }
}

/// The cubic through two trials.
struct Cubic {
    theta: f64,
    scale: f64,
}

impl Cubic {
    fn new(left: Trial, right: Trial) -> Self {
        let theta = 3.0 * (left.value - right.value) / (right.step - left.step) + left.slope + right.slope;
        Self { theta, scale: theta.abs().max(left.slope.abs()).max(right.slope.abs()) }
    }
}

/// The value rose: the cubic's minimum, or the mean of it and the parabola's if that is closer to the best step.
fn after_rise(best: Trial, trial: Trial) -> f64 {
    let Cubic { theta, scale } = Cubic::new(best, trial);
    let root = scale * ((theta / scale).powi(2) - (best.slope / scale) * (trial.slope / scale)).sqrt();
    let gamma = if trial.step < best.step { -root } else { root };
    let ratio = ((gamma - best.slope) + theta) / (((gamma - best.slope) + gamma) + trial.slope);
    let length = trial.step - best.step;
    let cubic = best.step + ratio * length;
    let secant_slope = (best.value - trial.value) / length + best.slope;
    let parabola = best.step + ((best.slope / secant_slope) / 2.0) * length;
    if (cubic - best.step).abs() < (parabola - best.step).abs() {
        cubic
    } else {
        cubic + (parabola - cubic) / 2.0
    }
}

/// The value fell and the slope changed its sign: the cubic's or the secant's minimum, whichever is farther away.
fn after_turn(best: Trial, trial: Trial) -> f64 {
    let Cubic { theta, scale } = Cubic::new(best, trial);
    let root = scale * ((theta / scale).powi(2) - (best.slope / scale) * (trial.slope / scale)).sqrt();
    let gamma = if trial.step > best.step { -root } else { root };
    let ratio = ((gamma - trial.slope) + theta) / (((gamma - trial.slope) + gamma) + best.slope);
    let cubic = trial.step + ratio * (best.step - trial.step);
    let secant = secant(best, trial);
    if (cubic - trial.step).abs() > (secant - trial.step).abs() { cubic } else { secant }
}

/// Where the slope would vanish if it changed linearly.
fn secant(best: Trial, trial: Trial) -> f64 {
    trial.step + (trial.slope / (trial.slope - best.slope)) * (best.step - trial.step)
}
