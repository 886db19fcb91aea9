import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {startRehearsalService} from '../../../source/commands/shell/rehearsal-service.ts';
import {formatBulkLabel} from '../../../source/screens/bulk/state.ts';
import type {NamespaceRow} from '../../../source/screens/keys/namespace-rows.ts';
import type {BulkOrigin} from '../../../source/screens/keys/origin.ts';
import {createSession} from '../../../source/session/session.ts';
import {createLedgeStore} from '../../../source/store/create-store.ts';
import type {LedgeState, LedgeStore} from '../../../source/store/ledge-store.ts';
import type {TestStore} from './store.ts';

export type Entry = {readonly key: string; readonly value: string};

export const createEntries = (count: number): Entry[] =>
	Array.from({length: count}, (_, at) => ({key: `load:${at + 1}`, value: `value ${at + 1}`}));

/** A clock that advances by a second with each reading, so that each batch is recorded and shown. */
export function createTickingClock(): () => number {
	let time = 1_900_000_000_000;
	return () => (time += 1000);
}

/** Writes an input file for a bulk run into the folder of the test. */
export function createInputFile({folder}: TestStore, name: string, content: unknown): BulkOrigin {
	const path = join(folder, name);
	writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
	return {kind: 'file', path};
}

/** Creates a namespace in the simulated service, and returns its row. */
export async function createTestNamespace({state, signal}: TestStore, title: string): Promise<NamespaceRow> {
	await state().namespaces.load('remote', signal);
	await state().namespaces.create(title, signal);
	return findNamespaceRow(state(), title);
}

export function findNamespaceRow({namespaces: {data: namespaces}}: LedgeState, title: string): NamespaceRow {
	const row = namespaces.rows.find(one => one.title === title);
	if (!row) throw new Error(`There is no namespace "${title}".`);
	return row;
}

export const localRow: NamespaceRow = {
	name: 'local:load',
	where: 'local',
	id: 'load',
	title: 'LOAD',
	bindings: [],
};

type State = () => LedgeState;

/** Runs the checked bulk operation, as the screen does. Returns true if it completed. */
export const runCheckedBulk = (state: State): Promise<boolean> =>
	state().work.run(formatBulkLabel(state().bulk.data), 'long', signal => state().bulk.start(signal));

/** The names of all keys of a namespace. */
export async function readKeyNames({state, signal}: TestStore, row: NamespaceRow): Promise<Set<string>> {
	await state().keys.open(row, signal);
	const store = state().keys.data?.opened.store;
	const names = new Set<string>();
	let cursor: string | undefined;
	do {
		const page = await store?.list({...(cursor !== undefined && {cursor})}, signal);
		for (const {name} of page?.entries ?? []) names.add(name);
		cursor = page?.cursor;
	} while (cursor !== undefined);
	return names;
}

/** Another ledge with the same state directory and service, as if the first one had been killed. */
export function createAnotherStore({folder, env, simulator}: TestStore): {store: LedgeStore; state: State} {
	const session = createSession(
		{simulate: true},
		{
			cwd: () => folder,
			env,
			events: {
				record() {},
				waiting() {},
				warn() {},
			},
			startSimulated: async () => ({
				fetch: request => simulator.fetch(request),
				[Symbol.dispose]() {},
			}),
			startRehearsal: startRehearsalService,
		},
	);
	onTestFinished(() => session[Symbol.dispose]());
	const store = createLedgeStore({session, now: createTickingClock(), elapsed: createTickingClock()});
	return {store, state: () => store.getState()};
}
