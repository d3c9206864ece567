
	/host:CPU