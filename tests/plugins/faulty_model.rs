//! A model that misbehaves when a text or its own name tells it to.

#![allow(clippy::panic, reason = "misbehaving is what this plugin is for")]

use std::process::Command;
use std::time::Duration;

use mteb_plugin_api::v1::{Model, PluginError, Role, code};
use mteb_plugin_api::{Identity, Manifest, ModelInfo, PluginKind, export_model};

struct Faulty {
    name: String,
    texts: usize,
}

impl Model for Faulty {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            identity: Identity {
                name: format!("tests/{}", self.name),
                revision: "1".to_owned(),
                ..Identity::default()
            },
            dimension: if self.name == "faulty-without-dimension" { 0 } else { 2 },
            ..ModelInfo::default()
        }
    }

    fn encode(&mut self, texts: &[&str], _: Role, _: &str, out: &mut [f32]) -> Result<(), PluginError> {
        if texts.len() > 1 && texts.contains(&"GREEDY") {
            return Err(PluginError::new(code::OUT_OF_MEMORY, "this batch is too large"));
        }
        self.texts += texts.len();
        if self.name == "faulty-at-10000" && self.texts >= 10_000 {
            std::process::abort();
        }
        for (row, text) in out.chunks_mut(2).zip(texts) {
            row.copy_from_slice(&[text.len() as f32 + 1.0, text.bytes().map(f32::from).sum()]);
            match *text {
                "PANIC" => panic!("this text is not for me"),
                "SEGFAULT" => segfault(),
                "NAN" => row[1] = f32::NAN,
                "EXIT" => std::process::exit(7),
                "ERROR" => return Err(PluginError::failed("this text cannot be encoded")),
                "HANG" => loop {
                    std::hint::spin_loop();
                },
                "ABORT" => {
                    eprintln!("the last words of this plugin");
                    std::process::abort();
                }
                "DEVOUR" => devour(),
                "KILL" => kill_myself(),
                "CLOSE" => close_everything(),
                "ENVIRONMENT" => return Err(PluginError::failed(environment())),
                "CHILD" => leave_a_child(),
                "FORK" => fork_and_go_on(),
                text if text.starts_with("LATE") => leave_a_thread_that_writes(row),
                "WRITE" => write_files()?,
                "WAIT" => {
                    write_files()?;
                    std::thread::sleep(Duration::from_secs(600));
                }
                "PRINT MUCH" => {
                    (0..200_000).for_each(|line| println!("line {line} {}", "x".repeat(line % 90)))
                }
                "PRINT" => println!("a plugin may print to standard output"),
                text if text.starts_with("SLEEP") => std::thread::sleep(Duration::from_millis(40)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Takes memory, and writes to it, until it gets no more.
fn devour() {
    let mut taken: Vec<Vec<u8>> = Vec::new();
    loop {
        taken.push(std::hint::black_box(vec![1; 16 << 20]));
    }
}

/// The names of the variables that this process has.
fn environment() -> String {
    let mut names: Vec<String> =
        std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
    names.sort();
    format!("variables: {},", names.join(","))
}

fn kill_myself() {
    let _ = Command::new("kill").args(["-9", &std::process::id().to_string()]).status();
}

fn leave_a_child() {
    let _ = Command::new("sleep").arg("600").spawn();
    std::process::exit(7)
}

/// Leaves a thread that goes on writing to a row that is an answer by then.
#[allow(unsafe_code)]
fn leave_a_thread_that_writes(row: &mut [f32]) {
    let place = row.as_mut_ptr() as usize;
    std::thread::spawn(move || {
        for number in 0_u64.. {
            // SAFETY: there is none; the row belongs to the host by now, which is what this plugin is for.
            unsafe { (place as *mut f32).write_volatile(number as f32) };
        }
    });
}

/// Succeeds in its temporary folder; elsewhere it tries.
fn write_files() -> Result<(), PluginError> {
    let _ = std::fs::write("written-by-a-plugin", "");
    std::fs::write(std::env::temp_dir().join("file"), "text")
        .map_err(|error| PluginError::failed(error.to_string()))
}

/// From here on there are two processes, and both go on with what follows; the new one later than the first.
#[allow(unsafe_code)]
fn fork_and_go_on() {
    unsafe extern "C" {
        safe fn fork() -> i32;
    }
    if fork() == 0 {
        std::thread::sleep(Duration::from_millis(300));
    }
}

#[allow(unsafe_code)]
fn close_everything() {
    unsafe extern "C" {
        safe fn close(descriptor: i32) -> i32;
    }
    (0..64).for_each(|descriptor| {
        close(descriptor);
    });
    std::thread::sleep(Duration::from_secs(600));
}

#[allow(unsafe_code)]
fn segfault() {
    // SAFETY: there is none; the write to address zero is what this plugin is for.
    unsafe { std::ptr::null_mut::<u8>().write_volatile(1) }
}

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "faulty".to_owned(),
        version: "1.0.0".to_owned(),
        features: vec!["env:FAULTY_API_KEY=api.example.org".to_owned()],
        licence: "Apache-2.0".to_owned(),
        description: "Misbehaves on purpose.".to_owned(),
        models: ["faulty", "faulty-at-load", "faulty-at-10000", "faulty-without-dimension", "faulty-files/*"].map(str::to_owned).to_vec(),
        tasks: Vec::new(),
    },
    new: |config| {
        if config.name == "faulty-at-load" {
            std::process::abort();
        }
        if config.name.starts_with("faulty-files/") {
            return Err(PluginError::new(code::UNSUPPORTED, "expected a model_type among none, found: own"));
        }
        Ok(Box::new(Faulty { name: config.name, texts: 0 }))
    },
}
