const block = 512;

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
export function tarOf(files: readonly TarFile[], seconds: number): Buffer {
	return Buffer.concat([...files.flatMap(file => entry(file, seconds)), Buffer.alloc(2 * block)]);
}

function entry({path, content, isProgram = false}: TarFile, seconds: number): Uint8Array[] {
	if (!/^[!-~]{1,100}$/.test(path)) throw new Error(`An archive cannot have a file called ${path}.`);
	const head = Buffer.alloc(block);
	head.write(path);
	head.write(octal(isProgram ? 0o755 : 0o644, 8), 100);
	head.write(octal(0, 8), 108);
	head.write(octal(0, 8), 116);
	head.write(octal(content.length, 12), 124);
	head.write(octal(seconds, 12), 136);
	// The checksum counts its own field as spaces.
	head.fill(' ', 148, 156);
	head.write('0', 156);
	head.write('ustar\u000000', 257);
	head.write('root', 265);
	head.write('root', 297);
	head.write(
		`${octal(
			head.reduce((sum, byte) => sum + byte, 0),
			7,
		)} `,
		148,
	);
	return [head, content, Buffer.alloc((block - (content.length % block)) % block)];
}

/** Formats a number as an octal field of `bytes` bytes, including the terminating NUL. */
const octal = (number: number, bytes: number): string => `${number.toString(8).padStart(bytes - 1, '0')}\0`;
