import type {CredentialSource} from '../credentials/source.ts';
import {toFailure} from '../failure.ts';
import type {SessionChoices, SessionOptions, SessionParts} from '../session/parts.ts';
import {applyRestart, buildRestartOptions, type Restart} from '../session/restarted.ts';
import {openSession} from '../session/session.ts';
import type {Contexts} from '../settings/contexts/context.ts';
import {openDebugLog} from '../state/debug-log.ts';
import {createLedgeStore} from '../store/create-store.ts';
import type {Has, LedgeState, LedgeStore} from '../store/ledge-store.ts';
import type {Ports} from '../store/slice.ts';
import {formatQuantity} from '../text/figures.ts';
import {actions} from './actions.ts';
import {describeDraftsElsewhere} from './drafts/elsewhere.ts';
import {listUnsavedEdits} from './edit/slice.ts';
import {loadJobsAndAccount} from './home/actions.ts';
import {getSessionName} from './path.ts';
import type {App, Terminal} from './shell/app.ts';
import {askAboutProduction} from './shell/ask-about-production.ts';
import {describeWorkElsewhere, outlivesScreen, stopSending} from './shell/leaving.ts';
import type {Viewport} from './shell/navigation-slice.ts';
import {listScreens} from './shell/screen.ts';

type SessionsParts = Pick<
	SessionParts,
	'env' | 'cwd' | 'clock' | 'startSimulated' | 'startRehearsal' | 'lend'
> & {
	readonly terminal: Omit<Terminal, 'restart'>;
	/** Callbacks of writes under way, for the end of the process; see `trackWrites` of `SessionEvents`. */
	readonly underWay: Set<() => string>;
	/** Clocks of the screens; those of the process by default. */
	readonly clocks?: Pick<Ports, 'now' | 'elapsed'>;
	size(): Viewport;
	/** Shows another session. */
	show(app: App): void;
};

export type Sessions = {
	getCurrent(): App;
	/** Lists the current session and those left with work under way. */
	listAll(): readonly App[];
	end(): void;
};

type RunningSession = {
	readonly app: App;
	/** Choices made for it. */
	readonly choices: SessionChoices;
	/** Equal for sessions that act in the same place. */
	readonly place: string;
	readonly hasContexts: boolean;
	end(): void;
};

type SessionSwitch = {
	/** Run first in the new session. */
	readonly then: ((app: App) => void) | undefined;
	/** Names of drafts kept and screens closed in the previous session. */
	readonly kept: readonly string[];
	readonly closed: readonly string[];
	/** Place of the previous session. */
	readonly place: string;
};

/**
 * Opens the first session, and others as the user chooses. A session that is left finishes its writes in the
 * background and reports them in the current one; returning to its place resumes it.
 */
export async function openSessions(initialOptions: SessionOptions, parts: SessionsParts): Promise<Sessions> {
	const {
		terminal,
		underWay,
		size,
		show,
		clocks = {now: Date.now, elapsed: () => performance.now()},
		...sessionParts
	} = parts;
	const credentials = new Map<string, CredentialSource>();
	/** Left sessions that still write, with the function that stops listening to each. */
	const left = new Map<RunningSession, () => void>();
	let choices: SessionChoices = {};
	/** Contexts of this machine; also listed in the simulated service, as ways out. */
	let contexts: Contexts | undefined;
	let isSwitching = false;
	let current = await open(initialOptions);
	announceDrafts(current);

	/** Opens a session and reads the configuration, without asking the service. */
	async function open(options: SessionOptions): Promise<RunningSession> {
		const session = await openSession(options, {
			...sessionParts,
			...(options.choices?.isSimulated && {contexts: {contexts, active: undefined}}),
			credentials,
			events: {
				record: call => store.getState().activity.record(call),
				waiting: wait => store.getState().work.wait(wait),
				throttled: milliseconds => store.getState().work.holdQuota(milliseconds),
				warn: sentence => store.getState().messages.warn(sentence),
				unaudited: sentence => store.getState().messages.warnTwice(sentence),
				// A job of a left session asks in the current one.
				confirmProduction: write => askAboutProduction(current.app.store, write, clocks.elapsed),
				trackWrites(leaving) {
					underWay.add(leaving);
					return () => underWay.delete(leaving);
				},
			},
		});
		({contexts} = session.contexts);
		const store: LedgeStore = createLedgeStore({session, ...clocks});
		const state = () => store.getState();
		state().navigation.resize(size());
		await state().connection.loadConnection();
		const log = openDebugLog(session.env, session.cwd, clocks.now);
		log?.write('start', {version: LEDGE_VERSION, node: process.version, ...size()});
		store.subscribe(({messages: {latest}}, before) => {
			if (latest?.kind === 'failed' && latest !== before.messages.latest) log?.writeFailure(latest.failure);
		});
		return {
			choices: options.choices ?? {},
			place: getPlaceKey(state()),
			hasContexts: contexts !== undefined && !session.simulated,
			app: {
				store,
				actions,
				state,
				terminal: {...terminal, restart: (into, then) => void switchSession(into, then)},
				...(log && {log}),
			},
			end() {
				for (const work of state().work.list) work.cancel();
				state().keys.close();
				session[Symbol.dispose]();
			},
		};
	}

	async function switchSession(into: Restart, then?: (app: App) => void): Promise<void> {
		if (isSwitching) return;
		isSwitching = true;
		const before = current;
		try {
			const next = await open(buildRestartOptions(initialOptions, applyRestart(choices, into)));
			const problem = next.app.state().connection.data?.problem;
			if (problem && !before.app.state().connection.data?.problem) {
				next.end();
				throw problem;
			}
			const kept = listUnsavedForms(before.app.state());
			const closed = await releaseScreens(before);
			leaveRunning(before);
			current = resumeLeftSession(next);
			({choices} = current);
			show(current.app);
			announceSession(current, {then, kept, closed, place: formatSessionPlace(before)});
		} catch (error) {
			before.app.state().messages.fail(toFailure(error));
		} finally {
			isSwitching = false;
		}
	}

	/** Returns the left session with the same place if it still writes, else `nextSession`. */
	function resumeLeftSession(next: RunningSession): RunningSession {
		const found = [...left].find(([{place}]) => place === next.place);
		if (!found) return next;
		const [back, unsubscribe] = found;
		unsubscribe();
		left.delete(back);
		next.end();
		back.app.state().navigation.resize(size());
		back.app.state().namespaces.markOutdated();
		return back;
	}

	/** Reports the new place, work elsewhere, drafts and closed screens. */
	function announceSession(running: RunningSession, {then, kept, closed, place}: SessionSwitch): void {
		const {app} = running;
		const {state} = app;
		showWorkElsewhere();
		// These replace the message before them.
		then?.(app);
		announceDrafts(running);
		const {latest: message, say, warn} = state().messages;
		const {elsewhere} = state().work;
		const draftsElsewhere = state().drafts.placesElsewhere;
		// A failure is more important than the place.
		if (message?.kind === 'failed') return;
		const name = getSessionName(state());
		const isNamed =
			message?.text === describeDraftsElsewhere(draftsElsewhere) && draftsElsewhere.length <= kept.length;
		const sentences = [
			...(name === undefined ? [] : [`Now in ${name}.`]),
			...elsewhere.map(one => `${describeWorkElsewhere(one)}.`),
			...(kept.length === 0 ? [] : [`Kept as ${formatQuantity(kept.length, 'draft')}: ${kept.join(', ')}.`]),
			...(closed.length === 0 ? [] : [`Left in ${place}: ${closed.join(', ')}.`]),
			...(message && !isNamed ? [message.text] : []),
		];
		const showMessage = message?.kind === 'warned' && !isNamed ? warn : say;
		if (sentences.length > 0) showMessage(sentences.join(' '));
	}

	/** Announces the drafts of this account; with contexts, once the account is known. */
	function announceDrafts({app, hasContexts}: RunningSession): void {
		const {state} = app;
		const isKnown = !hasContexts || state().connection.data?.accountId !== undefined;
		if (isKnown) state().drafts.announce();
		setImmediate(async () => {
			await loadJobsAndAccount(app);
			if (!isKnown) state().drafts.announce();
		});
	}

	/** Leaves a session: its input is kept as drafts, and its writes continue. */
	function leaveRunning(running: RunningSession): void {
		const {store, state} = running.app;
		state().edits.saveAllAtExit();
		if (!state().work.list.some(outlivesScreen)) {
			running.end();
			return;
		}
		const place = formatSessionPlace(running);
		// Its open question is declined, and what ends is reported by a message.
		state().dialog.close();
		state().keys.close();
		state().navigation.go('home');
		state().messages.clear();
		const unsubscribe = store.subscribe(({work: {list: work}}, {work: {list: before}}) => {
			const ended = before.filter(one => outlivesScreen(one) && !work.includes(one));
			// Its failure is set after it has ended.
			if (ended.length > 0) setImmediate(() => report(ended.map(({label}) => label).join(', ')));
		});
		left.set(running, unsubscribe);
		function report(what: string): void {
			if (!left.has(running)) return;
			const {latest: message, clear: clearMessage} = state().messages;
			const work = state().work.list;
			clearMessage();
			current.app.state().messages.restore({
				...(message ?? {kind: 'said'}),
				text: `${what} (${place}): ${message?.text ?? 'ended'}`,
				at: clocks.elapsed(),
			});
			if (!work.some(outlivesScreen) && left.delete(running)) {
				unsubscribe();
				running.end();
			}
			showWorkElsewhere();
			// The draft of sent input is gone.
			current.app.state().drafts.refresh();
		}
	}

	/** Shows the work of left sessions in the current one. */
	function showWorkElsewhere(): void {
		const elsewhere = [...left.keys()].map(running => {
			const {state} = running.app;
			return {
				sessionName: formatSessionPlace(running),
				labels: state()
					.work.list.filter(outlivesScreen)
					.map(({label}) => label),
				async end() {
					await stopSending(state());
					for (const work of state().work.list) work.cancel();
				},
			};
		});
		current.app.state().work.showElsewhere(elsewhere);
	}

	return {
		getCurrent: () => current.app,
		listAll: () => [current.app, ...[...left.keys()].map(({app}) => app)],
		end() {
			current.app.state().edits.saveAllAtExit();
			for (const one of [current, ...left.keys()]) one.end();
		},
	};
}

/** Formats where a session acts. */
const formatSessionPlace = ({app}: RunningSession): string =>
	getSessionName(app.state()) ?? 'the previous session';

/** Returns a key that is equal for sessions with the same settings. */
function getPlaceKey({connection: {data: connection}}: Has<'connection'>): string {
	const {simulated, address, context, credential, accountId, configuration, target} = connection ?? {};
	return JSON.stringify([
		simulated,
		address?.value,
		context?.name ?? [credential?.from],
		accountId,
		configuration?.environment,
		target,
	]);
}

/** Cancels reads and releases what another session needs. Returns the names of what was closed. */
async function releaseScreens({app: {state}}: RunningSession): Promise<readonly string[]> {
	for (const work of state().work.list) if (!outlivesScreen(work)) work.cancel();
	const closed = listScreens(state().navigation.screens).map(([, screen]) => screen.release?.(state()));
	return (await Promise.all(closed)).filter(name => name !== undefined);
}

/** Lists unsaved input by the names of its forms. */
const listUnsavedForms = (state: LedgeState): readonly string[] => [
	...listUnsavedEdits(state).map(({key, label}) => `${key} in ${label}`),
	...listScreens(state.navigation.screens).flatMap(([, screen]) => screen.getOpenForm?.(state) ?? []),
];
