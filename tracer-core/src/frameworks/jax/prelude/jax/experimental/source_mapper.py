"""`jax.experimental.source_mapper`: not modelled."""
from .. import _unmodelled

__getattr__ = _unmodelled.names("jax.experimental.source_mapper", """
    MappingsGenerator Pass SourceMap SourceMapDump all_passes canonicalize_filename compile_with_env
    create_mlir_sourcemap filter_passes generate_sourcemaps register_pass
    """)
