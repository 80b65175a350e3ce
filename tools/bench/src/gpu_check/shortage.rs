//! Memory that really runs out in the middle of a batch.

use serde_json::json;

use super::findings::{Findings, GpuFault, Verdict};
use super::ground::Ground;
use super::job::{Answer, Job, OURS};
use super::rows::{Distance, Rows};
use super::shapes::{WIDE, make, texts};

/// Name of the part.
pub const PART: &str = "memory";
/// What the plugin says when it halves a batch.
const HALVED: &str = "memory ran out with ";
/// Bytes left on a GPU, from much to little, beside what the driver and the libraries take.
const LEFT_ON_GPU: [u64; 4] = [3 << 30, 2 << 30, 1400 << 20, 1 << 30];
/// Bytes that the process may have beside those that it holds, on a processor.
const LEFT_ON_PROCESSOR: [u64; 5] = [192 << 20, 128 << 20, 96 << 20, 64 << 20, 48 << 20];
/// Times that a process may begin with so little: what its allocator has taken by then differs from run to run, and with some of
/// it gone not even one text fits.
const TRIES_ON_PROCESSOR: usize = 3;
/// Largest difference of rows of length 1 from batches of another size.
const SAME: f64 = 1e-5;

/// Encodes with all memory, then with less and less until a batch has to be halved: the rows are the same.
pub fn shortage(ground: &Ground, findings: &mut Findings) -> Result<(), GpuFault> {
    make(ground, &[WIDE], false)?;
    let rows = ground.work.join("shortage");
    let job = Job {
        device: ground.options.device.clone(),
        count: if ground.options.on_gpu() { 0 } else { WIDE.texts[1] },
        ..Job::of_rows("shortage", &WIDE.folder(ground), &texts(ground, 1), &rows)
    };
    let read = |answer: Option<&Answer>| -> Result<Rows, String> {
        let answer = answer.ok_or("no answer")?;
        if let Some(error) = &answer.error {
            return Err(error.clone());
        }
        Rows::read(&job.rows_of(OURS).ok_or("no rows")?, answer.width)
    };
    let expected = read(ground.ours(std::slice::from_ref(&job), 60)?.0.first())?;
    let levels: &[u64] = if ground.options.on_gpu() { &LEFT_ON_GPU } else { &LEFT_ON_PROCESSOR };
    for &left in levels {
        let mut tries = 1;
        let (found, halved) = loop {
            let (answers, said) = with_little(ground, &job, left)?;
            let found = read(answers.first()).and_then(|rows| rows.distance(&expected));
            if found.is_ok() || ground.options.on_gpu() || tries == TRIES_ON_PROCESSOR {
                break (found, said.matches(HALVED).count());
            }
            tries += 1;
        };
        let what = format!("{} MB left", left >> 20);
        match found {
            Ok(_) if halved == 0 => {}
            Ok(Distance { difference, .. }) => {
                let found = format!("{halved} batches halved; rows {difference:.1e} apart");
                let figures = json!({"left": left, "halved": halved, "difference": difference});
                let expected = format!("batches are halved and the rows stay, ≤ {SAME:.0e}");
                findings.add(PART, what, (expected, found), figures, Verdict::of(difference <= SAME));
                return Ok(());
            }
            Err(error) => return Err(GpuFault::Failed(format!("{what}: {error}"))),
        }
    }
    Err(GpuFault::Failed("expected memory to run out, but every batch fitted".to_owned()))
}

fn with_little(ground: &Ground, job: &Job, left: u64) -> Result<(Vec<Answer>, String), GpuFault> {
    if !ground.options.on_gpu() {
        let job = Job { spare_memory: Some(left), ..job.clone() };
        let (answers, ended) = ground.ours(&[job], 60)?;
        return Ok((answers, ended.errors));
    }
    let number = ground.options.number();
    let mut occupier = ground.clock.start(ground.python().args(["occupy", number, &left.to_string()]))?;
    ground.clock.first_line(&mut occupier, 60)?;
    let ran = ground.ours(std::slice::from_ref(job), 60);
    ground.clock.finish(occupier, 20)?;
    ran.map(|(answers, ended)| (answers, ended.errors))
}
