//! Prints the flattened syntax tree of a file, one node per line.

use jitlens_front::syntax::{NodeId, SyntaxTree};

fn main() {
    for file in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let tree = SyntaxTree::parse(&text);
        print(&tree, &text, tree.root(), 0);
    }
}

fn print(tree: &SyntaxTree, text: &str, id: NodeId, depth: usize) {
    let node = tree.node(id);
    let source: String = text[node.span.start as usize..node.span.end as usize].chars().take(60).collect();
    let missing = if node.missing { " MISSING" } else { "" };
    println!("{:depth$}{:?} {:?}{missing} {source:?}", "", node.kind, node.field, depth = depth * 2);
    for child in tree.all_children(id) {
        print(tree, text, child, depth + 1);
    }
}
