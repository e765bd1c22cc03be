//! The `jitlens` command.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Disk, Entry, Limits, Vfs, analyze};

fn main() {
    let mut args = std::env::args().skip(1);
    let _command = args.next();
    let Some(file) = args.next() else { return };
    let environment = std::env::var("JITLENS_ENV").map(|e| vec![PathBuf::from(e)]).unwrap_or_default();
    let entry = Entry { script: PathBuf::from(file), roots: Vec::new(), environment };
    let analysis = analyze(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits::default(), Arc::new(AtomicBool::new(false)));
    for file in &analysis.files {
        for fact in file.exprs.iter() {
            let text = &file.text[fact.span.start as usize..fact.span.end as usize];
            println!("{}: {:?}", text.replace('\n', " "), fact.seen);
        }
    }
    for problem in &analysis.problems {
        println!("{}: {} {:?}", problem.class, problem.message, problem.frames);
    }
    println!("{:?} {:?}", analysis.events, analysis.stopped);
}
