//! The folder that a live model shares with the program: private, and gone after the call, or after the next one if a signal ended it.

use super::live_models::lines;

#[test]
fn the_folder_of_a_model_is_private_and_goes_with_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
from mteb_host._live.server import Server

with Server(lambda ask: None, 'x') as server:
    print(oct(os.stat(server.folder).st_mode & 0o777), sorted(os.listdir(server.folder)))
print(os.path.exists(server.folder))
";
    let (found, _) = lines(folder.path(), program);
    assert_eq!(found, ["0o700 ['lock', 'memory', 'socket']", "False"]);
}

#[test]
fn folders_of_processes_that_were_killed_are_removed_and_those_in_use_stay() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
import fcntl, os, shutil, tempfile
from mteb_host._live import server

place = tempfile.mkdtemp()
def left(name, seconds, lock='lock'):
    path = os.path.join(place, name)
    os.mkdir(path)
    held = open(os.path.join(path, lock), 'w')
    os.utime(path, (os.stat(path).st_mtime - seconds,) * 2)
    return held

left('mteb-host-live-killed', 100).close()
used = left('mteb-host-live-used', 100)
fcntl.flock(used, fcntl.LOCK_EX)
left('mteb-host-live-young', 0).close()
left('mteb-host-live-starts', 0, 'lock.new').close()
left('mteb-host-live-other', 100, 'notes').close()
left('mine', 100).close()
server._sweep(place)
print(*sorted(os.listdir(place)))
shutil.rmtree(place)

class Model:
    def encode(self, texts):
        return rows(texts)

model = Model()
made, make = [], tempfile.mkdtemp
tempfile.mkdtemp = lambda *given, **named: made.append(make(*given, **named)) or made[-1]
run(model, name='tests/swept', revision='1')
print(len(made) > 0, sum(os.path.exists(path) for path in made))
";
    let (lines, said) = lines(folder.path(), program);
    let stay = "mine mteb-host-live-other mteb-host-live-starts mteb-host-live-used";
    assert_eq!(lines, [stay, "True 0"], "{said}");
}

#[test]
fn what_a_signal_ends_leaves_nothing_behind_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
from mteb_host._live.server import Server

DIES = '''
import os, sys
from mteb_host._live.server import Server

server = Server(lambda ask: None, 'x')
print(server.folder, flush=True)
os.kill(os.getpid(), int(sys.argv[1]))
'''

for number in (signal.SIGTERM, signal.SIGKILL):
    ended = subprocess.run([sys.executable, '-c', DIES, str(int(number))], stdout=subprocess.PIPE, text=True)
    left = ended.stdout.strip()
    print(ended.returncode == -number, os.path.isdir(left))
    with Server(lambda ask: None, 'x') as server:
        print(os.path.exists(left), os.path.isdir(server.folder))
";
    let (found, _) = lines(folder.path(), program);
    assert_eq!(found, ["True True", "False True", "True True", "False True"]);
}
