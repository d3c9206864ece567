
1/host:metadata*jax_version2