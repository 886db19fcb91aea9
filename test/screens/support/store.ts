import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {startRehearsalService} from '../../../source/commands/shell/rehearsal-service.ts';
import {getSelectedNamespace} from '../../../source/screens/namespaces/slice.ts';
import {type Clock, createEnvironmentClock} from '../../../source/service/clock.ts';
import type {SessionOptions} from '../../../source/session/parts.ts';
import {createSession} from '../../../source/session/session.ts';
import {createSimulator, parseFaults, type Simulator} from '../../../source/simulator/simulator.ts';
import {createLedgeStore} from '../../../source/store/create-store.ts';
import type {LedgeStore} from '../../../source/store/ledge-store.ts';

export type TestStore = {
	readonly store: LedgeStore;
	state(): ReturnType<LedgeStore['getState']>;
	readonly simulator: Simulator;
	/** The working folder, and the state directory in it. */
	readonly folder: string;
	readonly env: NodeJS.ProcessEnv;
	/** Advances the clock of the store. */
	advanceClock(milliseconds: number): void;
	/** A signal that nobody aborts. */
	readonly signal: AbortSignal;
	/** Resolves when the state meets the condition. Otherwise the test times out. */
	until(condition: (state: ReturnType<LedgeStore['getState']>) => boolean): Promise<void>;
	/** Opens a namespace of the simulated service by its title, and lists its keys in the background. */
	openNamespace(title: string): Promise<void>;
};

/** The store of the screens on a simulated service of its own, or on local data in a folder of its own; no screen. */
export function createTestStore(
	options: SessionOptions = {simulate: true},
	{
		faults = '',
		fixedTime,
		now = fixedTime === undefined ? Date.now : () => fixedTime,
		elapsed = () => performance.now(),
		previousStore,
		variables = {},
		clock,
	}: {
		faults?: string;
		/** A fixed time for ledge and the simulated service, in milliseconds since the epoch. */
		fixedTime?: number;
		now?: () => number;
		/** The monotonic clock, which nobody can set. */
		elapsed?: () => number;
		/** The store of a previous run, whose folders and service are used again. */
		previousStore?: TestStore;
		/** Environment variables, besides those that every test store has. */
		variables?: Readonly<Record<string, string>>;
		/** Replaces the waits of ledge, for typing to rest and for calls to be repeated, and the time that they take. */
		clock?: Pick<Clock, 'wait'> & Partial<Pick<Clock, 'elapsed'>>;
	} = {},
): TestStore {
	const folder = previousStore?.folder ?? mkdtempSync(join(tmpdir(), 'ledge-'));
	const env = {
		LEDGE_STATE_DIR: join(folder, 'state'),
		TMPDIR: folder,
		LEDGE_TIME_SCALE: '0.01',
		...variables,
	};
	// Created for the first request: a test that only draws sends none.
	let createdSimulator: Simulator | undefined;
	const simulator = () => {
		createdSimulator ??=
			previousStore?.simulator ??
			createSimulator({
				faults: parseFaults(faults),
				migrationSeconds: 0.1,
				...(fixedTime !== undefined && {now: () => fixedTime}),
			});
		return createdSimulator;
	};
	const session = createSession(options, {
		...((fixedTime !== undefined || clock) && {
			clock: {now, client: {...createEnvironmentClock(env), now, ...clock}},
		}),
		cwd: () => folder,
		env,
		events: {
			record: call => store.getState().activity.record(call),
			waiting: wait => store.getState().work.wait(wait),
			throttled: milliseconds => store.getState().work.holdQuota(milliseconds),
			warn: sentence => store.getState().messages.warn(sentence),
			unaudited: sentence => store.getState().messages.warnTwice(sentence),
		},
		startSimulated: async () => ({
			fetch: request => simulator().fetch(request),
			[Symbol.dispose]: () => createdSimulator?.close(),
		}),
		startRehearsal: startRehearsalService,
	});
	let passed = 0;
	const store = createLedgeStore({
		session,
		now: () => now() + passed,
		elapsed: () => elapsed() + passed,
	});
	const state = () => store.getState();
	const ended = new AbortController();
	onTestFinished(() => {
		ended.abort();
		state().keys.close();
		// Afterwards no timer is left that would save a draft into the deleted folder.
		state().drafts.save();
		session[Symbol.dispose]();
		rmSync(folder, {recursive: true, force: true});
	});
	const until: TestStore['until'] = condition =>
		new Promise(resolve => {
			if (condition(state())) return resolve();
			const stop = store.subscribe(next => {
				if (!condition(next)) return;
				stop();
				resolve();
			});
		});
	return {
		store,
		state,
		get simulator() {
			return simulator();
		},
		folder,
		env,
		signal: ended.signal,
		until,
		advanceClock(milliseconds) {
			passed += milliseconds;
		},
		async openNamespace(title) {
			await state().namespaces.load('remote', ended.signal);
			const index = state().namespaces.data.rows.findIndex(row => row.title === title);
			state().namespaces.move(index - state().namespaces.data.cursor);
			const row = getSelectedNamespace(state().namespaces.data);
			if (!row || index === -1) throw new Error(`There is no namespace "${title}".`);
			await state().keys.open(row, ended.signal);
			void state().work.run('listing', 'background', () => state().keys.list(ended.signal));
		},
	};
}
