import {setImmediate as turn} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect, test} from 'vitest';
import {openRemoteStore} from '../../source/kv/remote-store.ts';
import {connectSimulated} from '../../source/service/connect.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('a call to the simulated service ends with its signal, even after garbage collection', async () => {
	const requestStarted = Promise.withResolvers<void>();
	const client = connectSimulated(
		({signal}) =>
			new Promise((_, reject) => {
				signal.addEventListener('abort', () => reject(signal.reason));
				requestStarted.resolve();
			}),
		{userAgent: 'test', environment: {}},
	);
	const store = openRemoteStore({client, account: 'a', namespace: 'n', label: 'Acme › T', isSimulated: true});
	const controller = new AbortController();
	const read = store.get('key', controller.signal);
	await requestStarted.promise;
	for (let round = 0; round < 3; round++) {
		await turn();
		collectGarbage();
	}
	controller.abort();
	await expect(read).rejects.toMatchObject({code: 'interrupted'});
});
