//! Files of data that a program loads: known where they lie in its workspace, and nowhere else.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Disk, Entry, Evaluation, Limits, Vfs, Wanted, analyze_for};
use tracer_core::array::{Tensor, npy};

/// What the functions of a program are given, as types and first numbers; nothing where that is made up.
fn given(folder: &Path, program: &str) -> Vec<String> {
    let script = folder.join("main.py");
    std::fs::write(&script, program).unwrap();
    let entry = Entry { script, roots: Vec::new(), environment: Vec::new(), fallback: Vec::new() };
    let wanted = Wanted { graphs: true, evaluation: Some(Evaluation::default()), ..Wanted::default() };
    let cancel = Arc::new(AtomicBool::new(false));
    let analysis = analyze_for(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits::default(), wanted, cancel);
    let known = analysis.evaluated.iter().filter(|fact| !fact.made_up);
    known.flat_map(|fact| &fact.inputs).map(|(_, x)| format!("{} {}", x.aval, x.first.join(" "))).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("work")).unwrap();
    folder
}

const PICKLED: &[u8] = b"\x80\x04\x95\xd1\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01w\x94\x8c\x16numpy._core.multiarray\x94\x8c\x0c_reconstruct\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94C\x01b\x94\x87\x94R\x94(K\x01K\x03\x85\x94h\x05\x8c\x05dtype\x94\x93\x94\x8c\x02f4\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01<\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94b\x89C\x0c\x00\x00\x00\x00\x00\x00\x80?\x00\x00\x00@\x94t\x94b\x8c\x01n\x94]\x94(K\x02K\x03e\x8c\x01p\x94\x8c\x07pathlib\x94\x8c\x0dPurePosixPath\x94\x93\x94\x8c\x01a\x94\x85\x94R\x94u.";

const OBJECTS: &[u8] = b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (), }                                                               \x0a\x80\x04\x95\xe2\x00\x00\x00\x00\x00\x00\x00\x8c\x16numpy._core.multiarray\x94\x8c\x0c_reconstruct\x94\x93\x94\x8c\x05numpy\x94\x8c\x07ndarray\x94\x93\x94K\x00\x85\x94C\x01b\x94\x87\x94R\x94(K\x01)h\x03\x8c\x05dtype\x94\x93\x94\x8c\x02O8\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01|\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?t\x94b\x89]\x94}\x94(\x8c\x01w\x94h\x02h\x05K\x00\x85\x94h\x07\x87\x94R\x94(K\x01K\x03\x85\x94h\x0b\x8c\x02f4\x94\x89\x88\x87\x94R\x94(K\x03\x8c\x01<\x94NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t\x94b\x89C\x0c\x00\x00\x00\x00\x00\x00\x80?\x00\x00\x00@\x94t\x94b\x8c\x01n\x94K\x02uat\x94b.";

const HEAD: &str = "import jax, numpy as np, jax.numpy as jnp, pathlib\n@jax.jit\ndef f(*xs): return xs\n";

#[test]
fn what_lies_in_the_workspace_is_known() {
    let folder = folder("files_inside").join("work");
    let tensor = Tensor::new(&[2, 3][..], vec![1.5f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
    npy::write(&tensor, std::fs::File::create(folder.join("x.npy")).unwrap()).unwrap();
    std::fs::write(folder.join("t.csv"), "a,b\n1,2\n3,4.5\n").unwrap();
    let load = |expression: &str| given(&folder, &format!("{HEAD}f({expression})\n"));
    assert_eq!(load("np.load('x.npy')"), ["f32[2,3] 1.5 2 3 4 5 6"]);
    assert_eq!(load("jnp.load(pathlib.Path('x.npy'))"), ["f32[2,3] 1.5 2 3 4 5 6"]);
    assert_eq!(load("np.loadtxt('t.csv', delimiter=',', skiprows=1)"), ["f32[2,2] 1 2 3 4.5"]);
    assert_eq!(load("np.genfromtxt('t.csv', delimiter=',')[1:]"), ["f32[2,2] 1 2 3 4.5"]);
    assert_eq!(load("np.loadtxt('t.csv', delimiter=',', skiprows=1, usecols=1)"), ["f32[2] 2 4.5"]);
    assert!(load("np.load('absent.npy')").is_empty() && load("np.load('t.csv')").is_empty());
    // What the program writes itself is not what lies there now.
    assert!(given(&folder, &format!("{HEAD}np.save('x.npy', np.ones(3))\nf(np.load('x.npy'))\n")).is_empty());
}

#[test]
fn small_texts_of_the_workspace_are_read() {
    let folder = folder("files_texts").join("work");
    std::fs::write(folder.join("settings.json"), "{\"sizes\": [2, 3], \"name\": \"mlp\", \"rate\": 1e-3}\n").unwrap();
    std::fs::write(folder.join("names.txt"), "ada\r\ngrace\r\nmary").unwrap();
    std::fs::write(folder.join("long.txt"), "x".repeat(5 << 20)).unwrap();
    let load = |expression: &str| given(&folder, &format!("import json\n{HEAD}f(jnp.zeros({expression}))\n"));
    let zeros = |shape: &str, count: usize| vec![format!("f32[{shape}] {}", vec!["0"; count].join(" "))];
    assert_eq!(load("json.load(open('settings.json'))['sizes']"), zeros("2,3", 6));
    assert_eq!(load("json.loads(pathlib.Path('settings.json').read_text())['sizes'][0]"), zeros("2", 2));
    assert_eq!(load("[len(line) for line in open('names.txt')]"), zeros("4,6,4", 6));
    assert_eq!(load("len(open('names.txt', encoding='utf-8').read().split())"), zeros("3", 3));
    assert_eq!(load("len(open('names.txt').readlines()[1])"), zeros("6", 6));
    let with = format!(
        "{HEAD}with pathlib.Path('names.txt').open() as names:\n    first = names.readline()\nf(jnp.zeros(len(first)))\n"
    );
    assert_eq!(given(&folder, &with), zeros("4", 4));
    assert_eq!(load("len(open('names.txt', 'rb').readline())"), zeros("5", 5));
    for unknown in ["len(open('long.txt').read())", "len(open('absent.txt').read())"] {
        assert!(load(unknown).is_empty(), "{unknown}");
    }
    let behind = |written: &str| {
        format!("{HEAD}open({written}, 'w').write('eve')\nf(jnp.zeros(len(open('names.txt').read().split())))\n")
    };
    assert!(given(&folder, &behind("'names.txt'")).is_empty());
    assert!(given(&folder, &behind("str(pathlib.Path.home())")).is_empty());
    assert_eq!(given(&folder, &behind("'/tmp/others.txt'")), zeros("3", 3));
}

#[test]
fn pickled_objects_are_read_and_nothing_is_run() {
    let folder = folder("files_pickled").join("work");
    // What `pickle.dumps` of Python 3.11 and NumPy 2.4 makes of {"w": np.arange(3.0, dtype="f4"), "n": [2, 3], "p": pathlib.Path("a")}.
    std::fs::write(folder.join("objects.pkl"), PICKLED).unwrap();
    // What `np.save` makes of a dictionary.
    std::fs::write(folder.join("objects.npy"), OBJECTS).unwrap();
    let load = |expression: &str| {
        given(&folder, &format!("import pickle\n{HEAD}p = pickle.load(open('objects.pkl', 'rb'))\nf({expression})\n"))
    };
    assert_eq!(load("p['w']"), ["f32[3] 0 1 2"]);
    assert_eq!(load("jnp.zeros(p['n'])"), ["f32[2,3] 0 0 0 0 0 0"]);
    assert!(load("jnp.zeros(len(p['p'].name))").is_empty());
    assert_eq!(load("np.load('objects.npy', allow_pickle=True).item()['w']"), ["f32[3] 0 1 2"]);
}

#[test]
fn what_lies_outside_is_not_read() {
    let folder = folder("files_outside");
    let tensor = Tensor::new(&[2][..], vec![1.5f32, 2.0]);
    npy::write(&tensor, std::fs::File::create(folder.join("x.npy")).unwrap()).unwrap();
    let outside = folder.join("x.npy");
    let program = format!("{HEAD}f(np.load({:?}))\nf(np.load('../x.npy'))\n", outside.display().to_string());
    assert!(given(&folder.join("work"), &program).is_empty());
}
