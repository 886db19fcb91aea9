import type {CredentialSource} from '../credentials/source.ts';
import {toFailure} from '../failure.ts';
import type {SessionChoices, SessionOptions, SessionParts} from '../session/parts.ts';
import {applyRestart, buildRestartOptions, type Restart} from '../session/restart.ts';
import {openSession} from '../session/session.ts';
import type {ContextsFile} from '../settings/contexts/context.ts';
import {
	formatFirstProblem,
	type PreferenceProblem,
	type Preferences,
	summarizePreferenceProblems,
} from '../settings/preferences/preferences.ts';
import {openDebugLog} from '../state/debug-log.ts';
import {createLedgeStore} from '../store/create-store.ts';
import type {LedgeState, LedgeStore, StateWith} from '../store/ledge-store.ts';
import type {Ports} from '../store/slice.ts';
import {formatQuantity} from '../text/figures.ts';
import {actions} from './actions.ts';
import {describeDraftsElsewhere} from './drafts/other-drafts.ts';
import {listUnsavedEdits} from './edit/slice.ts';
import {loadJobsAndAccount} from './home/actions.ts';
import {getSessionName} from './path.ts';
import {bindPreferredKeys} from './preferred-keys.ts';
import type {Action, App, Terminal} from './shell/app.ts';
import {askAboutProduction} from './shell/ask-about-production.ts';
import {describeWorkElsewhere, listUndoableTexts, outlivesScreen, stopSending} from './shell/leaving.ts';
import type {Viewport} from './shell/navigation-slice.ts';
import {listScreens} from './shell/screen.ts';

type SessionsParts = Pick<
	SessionParts,
	'env' | 'cwd' | 'clock' | 'startSimulated' | 'startRehearsal' | 'lendTerminal'
> & {
	readonly terminal: Omit<Terminal, 'restart'>;
	/** Callbacks of writes under way, for the end of the process; see `trackWrites` of `SessionEvents`. */
	readonly interruptionRecorders: Set<() => string>;
	/** Clocks of the screens; those of the process by default. */
	readonly clocks?: Pick<Ports, 'now' | 'elapsed'>;
	getSize(): Viewport;
	/** Changes which actions there are; by default none. Such a session announces no drafts. */
	adaptActions?: ((actions: readonly Action[]) => readonly Action[]) | undefined;
	/** Shows another session. */
	show(app: App): void;
};

export type Sessions = {
	getCurrent(): App;
	/** Applies preferences whose file has changed, and reports it in the current session. */
	setPreferences(preferences: Preferences | undefined): Promise<void>;
	/** Lists the current session and those left with work under way. */
	listAll(): readonly App[];
	end(): void;
};

type RunningSession = {
	readonly app: App;
	/** Choices made for it. */
	readonly choices: SessionChoices;
	/** Equal for sessions that act in the same place. */
	readonly placeKey: string;
	readonly hasContexts: boolean;
	setActions(actions: readonly Action[]): void;
	end(): void;
};

type SessionSwitch = {
	/** Run first in the new session. */
	readonly firstAction: ((app: App) => void) | undefined;
	/** Names of drafts kept and screens closed in the previous session. */
	readonly keptDrafts: readonly string[];
	readonly closedScreens: readonly string[];
	/** What only the previous session could undo, if it has ended. */
	readonly endedUndos: readonly string[];
	/** Place of the previous session. */
	readonly previousPlace: string;
};

/**
 * Opens the first session, and others as the user chooses. A session that is left finishes its writes in the
 * background and reports them in the current one; returning to its place resumes it.
 */
export async function openSessions(initialOptions: SessionOptions, parts: SessionsParts): Promise<Sessions> {
	const {
		terminal,
		interruptionRecorders,
		getSize,
		show,
		adaptActions,
		clocks = {now: Date.now, elapsed: () => performance.now()},
		...sessionParts
	} = parts;
	const credentials = new Map<string, CredentialSource>();
	/** Left sessions that still write, with the function that stops listening to each. */
	const leftSessions = new Map<RunningSession, () => void>();
	let choices: SessionChoices = {};
	/** Contexts of this machine; also listed in the simulated service, as ways out. */
	let contextsFile: ContextsFile | undefined;
	let isSwitching = false;
	let knownProblems: readonly PreferenceProblem[] = [];
	let currentSession = await open(initialOptions);
	const initialPreferences = currentSession.app.state().connection.preferences;
	announceDrafts(currentSession);

	/** Opens a session and reads the configuration, without asking the service. */
	async function open(options: SessionOptions): Promise<RunningSession> {
		const session = await openSession(options, {
			...sessionParts,
			...(options.choices?.isSimulated && {contexts: {contextsFile, active: undefined}}),
			credentials,
			events: {
				record: call => store.getState().activity.record(call),
				waiting: wait => store.getState().work.wait(wait),
				throttled: milliseconds => store.getState().work.holdQuota(milliseconds),
				warn: sentence => store.getState().messages.warn(sentence),
				unaudited: sentence => store.getState().messages.warnTwice(sentence),
				// A job of a left session asks in the current one.
				confirmProduction: write => askAboutProduction(currentSession.app.store, write, clocks.elapsed),
				trackWrites(recordInterruption) {
					interruptionRecorders.add(recordInterruption);
					return () => interruptionRecorders.delete(recordInterruption);
				},
			},
		});
		({contextsFile} = session.contexts);
		const store: LedgeStore = createLedgeStore({session, ...clocks});
		const state = () => store.getState();
		state().navigation.resize(getSize());
		await state().connection.loadConnection();
		const bindings = await bindPreferredKeys(actions, session.preferences);
		let boundActions = adaptActions?.(bindings.actions) ?? bindings.actions;
		knownProblems = bindings.problems;
		const problem = summarizePreferenceProblems(session.preferences, bindings.problems);
		if (problem !== undefined) state().messages.warn(problem);
		const log = openDebugLog(session.env, session.cwd, clocks.now);
		log?.write('start', {version: LEDGE_VERSION, node: process.version, ...getSize()});
		store.subscribe(({messages: {latest}}, before) => {
			if (latest?.kind === 'failed' && latest !== before.messages.latest) log?.writeFailure(latest.failure);
		});
		return {
			choices: options.choices ?? {},
			placeKey: getPlaceKey(state()),
			hasContexts: contextsFile !== undefined && !session.simulated,
			app: {
				store,
				get actions() {
					return boundActions;
				},
				state,
				terminal: {...terminal, restart: (into, then) => void switchSession(into, then)},
				...(log && {log}),
			},
			setActions(newActions) {
				boundActions = newActions;
			},
			end() {
				for (const work of state().work.list) work.cancel();
				state().keys.close();
				session[Symbol.dispose]();
			},
		};
	}

	async function switchSession(target: Restart, firstAction?: (app: App) => void): Promise<void> {
		if (isSwitching) return;
		isSwitching = true;
		const previousSession = currentSession;
		try {
			const nextSession = await open(buildRestartOptions(initialOptions, applyRestart(choices, target)));
			const problem = nextSession.app.state().connection.data?.problem;
			if (problem && !previousSession.app.state().connection.data?.problem) {
				nextSession.end();
				throw problem;
			}
			const keptDrafts = listUnsavedForms(previousSession.app.state());
			const closedScreens = await releaseScreens(previousSession);
			leaveRunningSession(previousSession);
			currentSession = resumeLeftSession(nextSession);
			({choices} = currentSession);
			show(currentSession.app);
			announceSession(currentSession, {
				firstAction,
				keptDrafts,
				closedScreens,
				endedUndos: leftSessions.has(previousSession) ? [] : listUndoableTexts(previousSession.app.state()),
				previousPlace: formatSessionPlace(previousSession),
			});
		} catch (error) {
			previousSession.app.state().messages.fail(toFailure(error));
		} finally {
			isSwitching = false;
		}
	}

	/** Returns the left session with the same place if it still writes, else `nextSession`. */
	function resumeLeftSession(nextSession: RunningSession): RunningSession {
		const leftEntry = [...leftSessions].find(([{placeKey}]) => placeKey === nextSession.placeKey);
		if (!leftEntry) return nextSession;
		const [resumedSession, unsubscribe] = leftEntry;
		unsubscribe();
		leftSessions.delete(resumedSession);
		nextSession.end();
		resumedSession.app.state().navigation.resize(getSize());
		resumedSession.app.state().namespaces.markStale();
		return resumedSession;
	}

	/** Reports the new place, work elsewhere, drafts and closed screens. */
	function announceSession(
		running: RunningSession,
		{firstAction, keptDrafts, closedScreens, endedUndos, previousPlace}: SessionSwitch,
	): void {
		const {app} = running;
		const {state} = app;
		showWorkElsewhere();
		// These replace the message before them.
		firstAction?.(app);
		announceDrafts(running);
		const {latest: message, say, warn} = state().messages;
		const {elsewhere} = state().work;
		const draftsElsewhere = state().drafts.placesElsewhere;
		// A failure is more important than the place.
		if (message?.kind === 'failed') return;
		const name = getSessionName(state());
		const repeatsKeptDrafts =
			message?.text === describeDraftsElsewhere(draftsElsewhere) &&
			draftsElsewhere.length <= keptDrafts.length;
		const sentences = [
			...(name === undefined ? [] : [`Now in ${name}.`]),
			...elsewhere.map(one => `${describeWorkElsewhere(one)}.`),
			...(keptDrafts.length === 0
				? []
				: [`Kept as ${formatQuantity(keptDrafts.length, 'draft')}: ${keptDrafts.join(', ')}.`]),
			...(closedScreens.length === 0 ? [] : [`Left in ${previousPlace}: ${closedScreens.join(', ')}.`]),
			...(endedUndos.length === 0 ? [] : [`Can no longer be undone: ${endedUndos.join(', ')}.`]),
			...(message && !repeatsKeptDrafts ? [message.text] : []),
		];
		const showMessage = message?.kind === 'warned' && !repeatsKeptDrafts ? warn : say;
		if (sentences.length > 0) showMessage(sentences.join(' '));
	}

	/** Announces the drafts of this account; with contexts, once the account is known. */
	function announceDrafts({app, hasContexts}: RunningSession): void {
		const {state} = app;
		const isAccountKnown = !hasContexts || state().connection.data?.accountId !== undefined;
		const announce = () => adaptActions ?? state().drafts.announce();
		if (isAccountKnown) announce();
		setImmediate(async () => {
			await loadJobsAndAccount(app);
			if (!isAccountKnown) announce();
		});
	}

	/** Leaves a session: its input is kept as drafts, and its writes continue. */
	function leaveRunningSession(running: RunningSession): void {
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
			const endedWork = before.filter(one => outlivesScreen(one) && !work.includes(one));
			// Its failure is set after it has ended.
			if (endedWork.length > 0) setImmediate(() => report(endedWork.map(({label}) => label).join(', ')));
		});
		leftSessions.set(running, unsubscribe);
		function report(what: string): void {
			if (!leftSessions.has(running)) return;
			const {latest: message, clear: clearMessage} = state().messages;
			const work = state().work.list;
			clearMessage();
			currentSession.app.state().messages.restore({
				...(message ?? {kind: 'said'}),
				text: `${what} (${place}): ${message?.text ?? 'ended'}`,
				shownAt: clocks.elapsed(),
			});
			if (!work.some(outlivesScreen) && leftSessions.delete(running)) {
				unsubscribe();
				running.end();
			}
			showWorkElsewhere();
			// The draft of sent input is gone.
			currentSession.app.state().drafts.refresh();
		}
	}

	/** Shows the work of left sessions in the current one. */
	function showWorkElsewhere(): void {
		const elsewhere = [...leftSessions.keys()].map(running => {
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
		currentSession.app.state().work.showElsewhere(elsewhere);
	}

	return {
		getCurrent: () => currentSession.app,
		async setPreferences(preferences) {
			const {actions: boundActions, problems} = await bindPreferredKeys(actions, preferences);
			for (const running of [currentSession, ...leftSessions.keys()]) {
				running.setActions(adaptActions?.(boundActions) ?? boundActions);
				running.app.state().connection.setPreferences(preferences);
			}
			const {say, warn} = currentSession.app.state().messages;
			const isKnown = ({text}: PreferenceProblem) => knownProblems.some(known => known.text === text);
			const newestFirst = problems.toSorted((one, other) => Number(isKnown(one)) - Number(isKnown(other)));
			knownProblems = problems;
			const mistake = summarizePreferenceProblems(preferences, newestFirst);
			if (mistake !== undefined) warn(mistake);
			else say(describeReload(preferences, initialPreferences, newestFirst));
		},
		listAll: () => [currentSession.app, ...[...leftSessions.keys()].map(({app}) => app)],
		end() {
			currentSession.app.state().edits.saveAllAtExit();
			for (const one of [currentSession, ...leftSessions.keys()]) one.end();
		},
	};
}

/** Says that the file was read again, what waits for the next start, and what a key has been taken from. */
function describeReload(
	preferences: Preferences | undefined,
	initialPreferences: Preferences | undefined,
	problems: readonly PreferenceProblem[],
): string {
	if (!preferences) return 'Your configuration file is gone; the defaults apply.';
	const waiting = (['mouse', 'title', 'target'] as const).filter(
		name => preferences.defaults[name]?.value !== initialPreferences?.defaults[name]?.value,
	);
	const restart = waiting.length > 0 && `Restart ledge for ${waiting.map(name => `"${name}"`).join(', ')}.`;
	const notice = formatFirstProblem(preferences, problems);
	return [`Read ${preferences.shownAs} again.`, restart, notice].filter(Boolean).join(' ');
}

/** Formats where a session acts. */
const formatSessionPlace = ({app}: RunningSession): string =>
	getSessionName(app.state()) ?? 'the previous session';

/** Returns a key that is equal for sessions with the same settings. */
function getPlaceKey({connection: {data: connection}}: StateWith<'connection'>): string {
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
