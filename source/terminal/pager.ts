import {spawn} from 'node:child_process';
import {Readable} from 'node:stream';
import {Failure} from '../failure.ts';

/** Lists the pagers to try: `$PAGER`, split at spaces without a shell, else `less`, then `more`. */
function listPagers({PAGER = ''}: NodeJS.ProcessEnv): readonly (readonly [string, ...string[]])[] {
	const [program, ...words] = PAGER.split(/\s+/).filter(Boolean);
	return program === undefined ? [['less'], ['more']] : [[program, ...words]];
}

/**
 * Shows text in the user's pager until it is closed; text is produced only as it is read. The text must be
 * safe for a terminal, since a pager may pass it on. Fails with `pager_failed`.
 */
export async function showInPager(text: () => Iterable<string>, env: NodeJS.ProcessEnv): Promise<void> {
	const pagers = listPagers(env);
	for (const pager of pagers) if (await runPager(pager, text(), env)) return;
	const triedNames = pagers.map(([program]) => `"${program}"`).join(' or ');
	throw new Failure('pager_failed', `Could not start the pager ${triedNames}.`, {
		next: 'Choose another one with PAGER, or save the value to a file.',
	});
}

/** Returns whether the pager was found. */
function runPager(
	[program, ...pagerArguments]: readonly [string, ...string[]],
	text: Iterable<string>,
	env: NodeJS.ProcessEnv,
): Promise<boolean> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, pagerArguments, {
			stdio: ['pipe', 'inherit', 'inherit'],
			env: {...env, LESSSECURE: '1'},
		});
		const source = Readable.from(text);
		child.on('error', cause => {
			source.destroy();
			if ('code' in cause && cause.code === 'ENOENT') return resolve(false);
			reject(
				new Failure('pager_failed', `Could not start the pager "${program}".`, {why: cause.message, cause}),
			);
		});
		// A pager that is closed early reads no more.
		child.stdin.on('error', () => source.destroy());
		child.on('exit', (code, endSignal) => {
			source.destroy();
			if (code === 0) return resolve(true);
			reject(
				new Failure('pager_failed', `The pager "${program}" exited with ${endSignal ?? code}.`, {
					next: 'Choose another one with PAGER.',
				}),
			);
		});
		source.pipe(child.stdin);
	});
}
