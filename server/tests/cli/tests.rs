//! Tests that are called: of pytest, with fixtures and parameters, and of unittest.

use crate::support::Project;

const LAYERS: &str = "import jax.numpy as jnp\n\n\ndef dense(w, x):\n    return x @ w\n";

const PYTEST: &str = "\
import jax.numpy as jnp
import pytest
from layers import dense


@pytest.fixture
def wide():
    yield jnp.ones((4, 9))


@pytest.fixture(params=[5, 6])
def rows(request):
    return jnp.ones((request.param, 4))


@pytest.mark.parametrize('n', [1, pytest.param(2, id='two')])
@pytest.mark.parametrize('k,dtype', [(3, jnp.float32), (3, jnp.int32)])
def test_sizes(n, k, dtype):
    dense(jnp.ones((k, 7), dtype), jnp.ones((n, k), dtype))


def test_fixtures(rows, wide, shared):
    assert dense(wide, rows).sum() == 3
    dense(shared, rows)


def test_not_there(nobody):
    dense(nobody, jnp.ones((11, 4)))


class TestLayer:
    @pytest.fixture
    def own(self):
        return jnp.ones((4, 13))

    def test_own(self, own):
        dense(own, jnp.ones((12, 4)))

    def test_error(self):
        with pytest.raises(TypeError):
            dense(jnp.ones((2, 3)), jnp.ones((2, 4)))

    @pytest.mark.skip
    def test_later(self):
        dense(jnp.ones((2, 3)), jnp.ones((14, 4)))


@pytest.mark.skipif(True, reason='slow')
def test_slow():
    dense(jnp.ones((2, 3)), jnp.ones((15, 4)))


@pytest.mark.skipif(False, reason='slow')
def test_quick():
    dense(jnp.ones((4, 3)), jnp.ones((16, 4)))


@pytest.mark.xfail(raises=TypeError)
def test_known():
    dense(jnp.ones((2, 3)), jnp.ones((17, 4)))


@pytest.mark.parametrize('n', [18, pytest.param(19, marks=pytest.mark.xfail)])
def test_some(n):
    dense(jnp.ones((4, 3)), jnp.ones((n, 4)))


def test_given_up():
    pytest.xfail('later')
    dense(jnp.ones((2, 3)), jnp.ones((20, 4)))
";

const UNITTEST: &str = "\
import unittest

import jax.numpy as jnp
from absl.testing import absltest, parameterized
from layers import dense


class LayerTest(parameterized.TestCase):
    def setUp(self):
        super().setUp()
        self.w = jnp.ones((4, 3))

    @parameterized.parameters(21, 22)
    def test_rows(self, n):
        self.assertEqual(dense(self.w, jnp.ones((n, 4))).shape, (n, 3))

    def test_wrong(self):
        dense(self.w, jnp.ones((23, 5)))

    @unittest.skip('later')
    def test_later(self):
        dense(self.w, jnp.ones((24, 5)))

    @unittest.expectedFailure
    def test_known(self):
        dense(self.w, jnp.ones((25, 5)))

    @unittest.skipIf(False, 'never')
    def test_still(self):
        dense(self.w, jnp.ones((26, 4)))


if __name__ == '__main__':
    absltest.main()
";

fn project(name: &str) -> Project {
    let conftest = "import jax.numpy as jnp\nimport pytest\n\n\n@pytest.fixture(name='shared')\ndef make():\n    return jnp.ones((4, 10))\n";
    Project::new(
        name,
        &[
            ("pyproject.toml", ""),
            ("layers.py", LAYERS),
            ("conftest.py", conftest),
            ("test_layers.py", PYTEST),
            ("layers_test.py", UNITTEST),
        ],
    )
}

/// What the `x` of `x @ w` was.
fn operands(project: &Project, arguments: &[&str]) -> Vec<String> {
    let ran = project.run(&[&["values"], arguments].concat());
    let line = ran.out.lines().find_map(|line| line.strip_prefix("layers.py:5:11: "));
    line.map(|line| line.split(" | ").map(str::to_owned).collect()).unwrap_or_default()
}

#[test]
fn fixtures_and_parameters_are_those_of_pytest() {
    let project = project("tests-pytest");
    assert!(operands(&project, &["test_layers.py"]).is_empty());
    let shapes = operands(&project, &["--tests", "test_layers.py"]);
    let wanted =
        "f32[1,3] f32[11,4] f32[12,4] f32[16,4] f32[18,4] f32[2,3] f32[2,4] f32[5,4] f32[6,4] i32[1,3] i32[2,3]";
    assert_eq!(shapes.join(" "), wanted);
    // What a test asserts is not judged, nor is a fixture that is not there.
    assert_eq!(project.check(&["--tests", "test_layers.py"]).out, "");
}

#[test]
fn test_cases_are_run_and_their_errors_told() {
    let project = project("tests-unittest");
    assert_eq!(
        operands(&project, &["--tests", "layers_test.py"]),
        ["f32[21,4]", "f32[22,4]", "f32[23,5]", "f32[26,4]"]
    );
    let ran = project.check(&["--tests", "layers_test.py"]);
    assert!(ran.out.starts_with("layers.py:5:11: error") || ran.out.contains("TypeError"), "{}", ran.out);
    assert_eq!(ran.out.lines().filter(|line| line.contains("TypeError")).count(), 1, "{}", ran.out);
    assert_eq!(project.check(&["layers_test.py"]).out, "");
}
