import {cutMark} from '../text/cut.ts';

/**
 * The same stream for a terminal that draws no more than ASCII: the mark of what was cut becomes a `~`. The other
 * marks are the theme's; data stays as it is, because such a terminal often can after all.
 */
export function withPlainMarks(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
	const plain = Object.create(stdout) as NodeJS.WriteStream;
	plain.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
		const text = typeof chunk === 'string' ? chunk.replaceAll(cutMark, '~') : chunk;
		return Reflect.apply(stdout.write, stdout, [text, ...rest]) as boolean;
	};
	return plain;
}
