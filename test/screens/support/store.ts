import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {startRehearsalService} from '../../../source/commands/shell/rehearsal-service.ts';
import {getSelectedNamespace} from '../../../source/screens/namespaces/slice.ts';
import {createEnvironmentClock} from '../../../source/service/clock.ts';
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
	/** Lets the clock of the store go on. */
	passes(milliseconds: number): void;
	/** A signal that nobody aborts. */
	readonly signal: AbortSignal;
	/** Ends when the condition holds for the state; the test's time-out ends it otherwise. */
	until(condition: (state: ReturnType<LedgeStore['getState']>) => boolean): Promise<void>;
	/** Opens a namespace of the simulated service by its title, and lists its keys in the background. */
	openNamespace(title: string): Promise<void>;
};

/** The store of the screens on a simulated service of its own, or on local data in a folder of its own; no screen. */
export function createTestStore(
	options: SessionOptions = {simulate: true},
	{
		faults = '',
		at,
		now = at === undefined ? Date.now : () => at,
		elapsed = () => performance.now(),
		after,
		variables = {},
	}: {
		faults?: string;
		/** The time at which everything is, the simulated service too, in milliseconds since the epoch. */
		at?: number;
		now?: () => number;
		/** The clock that nobody can set. */
		elapsed?: () => number;
		/** A run before, whose folders and service it finds. */
		after?: TestStore;
		/** Environment variables, besides those that every test store has. */
		variables?: Readonly<Record<string, string>>;
	} = {},
): TestStore {
	const folder = after?.folder ?? mkdtempSync(join(tmpdir(), 'ledge-'));
	const env = {
		LEDGE_STATE_DIR: join(folder, 'state'),
		TMPDIR: folder,
		LEDGE_TIME_SCALE: '0.01',
		...variables,
	};
	// Made when it is first asked: what is only drawn asks nothing.
	let made: Simulator | undefined;
	const simulator = () => {
		made ??=
			after?.simulator ??
			createSimulator({
				faults: parseFaults(faults),
				migrationSeconds: 0.1,
				...(at !== undefined && {now: () => at}),
			});
		return made;
	};
	const session = createSession(options, {
		...(at !== undefined && {
			clock: {now: () => at, client: {...createEnvironmentClock(env), now: () => at}},
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
			[Symbol.dispose]: () => made?.close(),
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
		// No timer is left that would keep a draft in a folder that is gone.
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
		passes(milliseconds) {
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
