import {setImmediate as turn} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {openInput} from '../../../source/kv/bulk/input.ts';
import {makeWorkspace} from '../support/workspace.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('copying standard input frees the pieces already written', async () => {
	using space = makeWorkspace();
	const pieces: WeakRef<Uint8Array>[] = [];
	let heldCount = Number.NaN;
	async function* stdin() {
		for (let at = 0; at < 200; at++) {
			const piece = Buffer.from(`"key-${at}"\n`.padEnd(20_000));
			pieces.push(new WeakRef(piece));
			yield piece;
		}
		await turn();
		collectGarbage();
		heldCount = pieces.filter(piece => piece.deref()).length;
	}
	using input = await openInput('-', {
		environment: space.environment,
		stdin: stdin(),
		signal: new AbortController().signal,
	});
	expect(input.size).toBe(200 * 20_000);
	expect(heldCount).toBeLessThan(20);
});
