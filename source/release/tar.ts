const blockSize = 512;

type TarFile = {
	/** At most 100 bytes of printable ASCII without spaces, separated by `/`. */
	readonly path: string;
	readonly content: Uint8Array;
	readonly isProgram?: boolean;
};

/**
 * Creates a reproducible tar archive (POSIX ustar): all files belong to root and were modified at `seconds`
 * since the epoch. Throws if a path is too long or not ASCII.
 */
export function createTar(files: readonly TarFile[], seconds: number): Buffer {
	return Buffer.concat([...files.flatMap(file => createEntry(file, seconds)), Buffer.alloc(2 * blockSize)]);
}

function createEntry({path, content, isProgram = false}: TarFile, seconds: number): Uint8Array[] {
	if (!/^[!-~]{1,100}$/.test(path)) throw new Error(`An archive cannot have a file called ${path}.`);
	const header = Buffer.alloc(blockSize);
	header.write(path);
	header.write(formatOctal(isProgram ? 0o755 : 0o644, 8), 100); // mode
	header.write(formatOctal(0, 8), 108); // user
	header.write(formatOctal(0, 8), 116); // group
	header.write(formatOctal(content.length, 12), 124); // size
	header.write(formatOctal(seconds, 12), 136); // time
	// The checksum counts its own field as spaces.
	header.fill(' ', 148, 156);
	header.write('0', 156); // regular file
	header.write('ustar\u000000', 257);
	header.write('root', 265);
	header.write('root', 297);
	header.write(
		`${formatOctal(
			header.reduce((sum, byte) => sum + byte, 0),
			7,
		)} `,
		148,
	);
	return [header, content, Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize)];
}

/** Formats a number as an octal field of `bytes` bytes, including the terminating NUL. */
const formatOctal = (number: number, bytes: number): string =>
	`${number.toString(8).padStart(bytes - 1, '0')}\0`;
