import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openLocalStore} from '../../source/kv/local/store.ts';
import {createSession} from '../../source/session/session.ts';
import {reportUnknownNamespace} from '../../source/session/unknown-local.ts';
import {createScratchFolder} from '../support/ledge.ts';
import {createUnconfiguredEnvironment} from '../support/program.ts';

test.each([
	['N', []],
	['M', ['The local namespace "M" is new in ROOT. Did you mean "N"?']],
])('only a namespace that still does not exist is reported as new: %s', async (namespace, expectedWarnings) => {
	const cwd = createScratchFolder();
	const root = join(cwd, 'v3');
	using store = openLocalStore({root, namespace: 'N'});
	await store.put('k', Buffer.from('v'), {}, AbortSignal.timeout(20_000));
	const warnings: string[] = [];
	using session = createSession(
		{local: true},
		{
			cwd: () => cwd,
			env: createUnconfiguredEnvironment(cwd),
			events: {warn: sentence => warnings.push(sentence.replace(root, 'ROOT'))},
			startSimulated: () => Promise.reject(new Error('not asked for')),
			startRehearsal: () => Promise.reject(new Error('not asked for')),
		},
	);
	await reportUnknownNamespace(session, root, namespace, {createsNamespace: true});
	expect(warnings).toEqual(expectedWarnings);
});
