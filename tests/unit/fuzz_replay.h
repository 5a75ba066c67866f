/* SPDX-License-Identifier: MIT
 *
 * A main() for a fuzz target without a fuzzer: each file named on the command line is tried once.
 */
static void try_file(const char *path)
{
	static uint8_t bytes[1 << 20];
	FILE *in = fopen(path, "rb");
	MZ_REQUIRE(in != NULL);
	size_t size = fread(bytes, 1, sizeof bytes, in);
	fclose(in);
	LLVMFuzzerTestOneInput(bytes, size);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) try_file(argv[i]);
	return 0;
}
