#include <stdio.h>

#include "config.h"

int main(void)
{
	puts("profkit " PACKAGE_VERSION);
	return 0;
}
