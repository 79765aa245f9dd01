"""Which mover senses which field, as arrays that the kernels read."""
