import type {CredentialSource} from '../credentials/source.ts';
import {asFailure} from '../failure.ts';
import type {Choices, SessionOptions, SessionParts} from '../session/parts.ts';
import {choicesAfter, optionsWith, type Restart} from '../session/restarted.ts';
import {openSession} from '../session/session.ts';
import type {Contexts} from '../settings/contexts/context.ts';
import {createLedgeStore} from '../store/create-store.ts';
import type {Has, LedgeState, LedgeStore} from '../store/ledge-store.ts';
import type {Ports} from '../store/slice.ts';
import {counted} from '../text/figures.ts';
import {actions} from './actions.ts';
import {elsewhereInWords} from './drafts/elsewhere.ts';
import {unsavedEdits} from './edit/slice.ts';
import {lookFurther} from './home/actions.ts';
import {nameOf} from './path.ts';
import type {App, Terminal} from './shell/app.ts';
import {askAboutProduction} from './shell/ask-about-production.ts';
import {elsewhereWords, endOf, isFinished} from './shell/leaving.ts';
import type {Viewport} from './shell/navigation-slice.ts';
import {entriesOf} from './shell/screen.ts';

type Parts = Pick<SessionParts, 'env' | 'cwd' | 'clock' | 'startSimulated' | 'startRehearsal' | 'lend'> & {
	readonly terminal: Omit<Terminal, 'restart'>;
	/** Callbacks of writes under way, see `SessionEvents`. */
	readonly underWay: Set<() => string>;
	/** Clocks of the screens; those of the process by default. */
	readonly clocks?: Pick<Ports, 'now' | 'elapsed'>;
	size(): Viewport;
	/** Shows another session. */
	show(app: App): void;
};

export type Sessions = {
	current(): App;
	/** Lists the current session and those left with work under way. */
	all(): readonly App[];
	end(): void;
};

type Running = {
	readonly app: App;
	/** Choices made for it. */
	readonly choices: Choices;
	/** Key that is equal for sessions that act in the same place. */
	readonly place: string;
	readonly hasContexts: boolean;
	end(): void;
};

type Beginning = {
	/** First action in it. */
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
export async function openSessions(started: SessionOptions, parts: Parts): Promise<Sessions> {
	const {
		terminal,
		underWay,
		size,
		show,
		clocks = {now: Date.now, elapsed: () => performance.now()},
		...ofSession
	} = parts;
	const credentials = new Map<string, CredentialSource>();
	/** Left sessions that still write, with the function that stops listening to each. */
	const left = new Map<Running, () => void>();
	let choices: Choices = {};
	/** Contexts of this machine; also listed in the simulated service, as ways out. */
	let contexts: Contexts | undefined;
	let isSwitching = false;
	let current = await open(started);
	announceDrafts(current);

	/** Opens a session and reads the configuration, without asking the service. */
	async function open(options: SessionOptions): Promise<Running> {
		const session = await openSession(options, {
			...ofSession,
			...(options.choices?.isSimulated && {contexts: {contexts, inForce: undefined}}),
			credentials,
			events: {
				record: call => store.getState().activity.record(call),
				waiting: wait => store.getState().work.wait(wait),
				throttled: milliseconds => store.getState().work.holdQuota(milliseconds),
				warn: sentence => store.getState().messages.warn(sentence),
				unaudited: sentence => store.getState().messages.warnBeside(sentence),
				// // A job of a left session asks in the current one.
				confirmProduction: write => askAboutProduction(current.app.store, write, clocks.elapsed),
				underWay(leaving) {
					underWay.add(leaving);
					return () => underWay.delete(leaving);
				},
			},
		});
		({contexts} = session.contexts);
		const store: LedgeStore = createLedgeStore({session, ...clocks});
		const state = () => store.getState();
		state().navigation.resize(size());
		await state().connection.lookAround();
		return {
			choices: options.choices ?? {},
			place: placeOf(state()),
			hasContexts: contexts !== undefined && !session.simulated,
			app: {
				store,
				actions,
				state,
				terminal: {...terminal, restart: (into, then) => void change(into, then)},
			},
			end() {
				for (const work of state().work.list) work.cancel();
				state().keys.close();
				session[Symbol.dispose]();
			},
		};
	}

	async function change(into: Restart, then?: (app: App) => void): Promise<void> {
		if (isSwitching) return;
		isSwitching = true;
		const before = current;
		try {
			const next = await open(optionsWith(started, choicesAfter(choices, into)));
			const problem = next.app.state().connection.data?.problem;
			if (problem && !before.app.state().connection.data?.problem) {
				next.end();
				throw problem;
			}
			const kept = keptIn(before.app.state());
			const closed = await letGo(before);
			leave(before);
			current = comingBackTo(next);
			({choices} = current);
			show(current.app);
			begin(current, {then, kept, closed, place: placeName(before)});
		} catch (error) {
			before.app.state().messages.fail(asFailure(error));
		} finally {
			isSwitching = false;
		}
	}

	/** Returns the left session with the same place if it still writes, else `next`. */
	function comingBackTo(next: Running): Running {
		const found = [...left].find(([{place}]) => place === next.place);
		if (!found) return next;
		const [back, stop] = found;
		stop();
		left.delete(back);
		next.end();
		back.app.state().navigation.resize(size());
		back.app.state().namespaces.markOutdated();
		return back;
	}

	/** Reports the new place, work elsewhere, drafts and closed screens. */
	function begin(running: Running, {then, kept, closed, place}: Beginning): void {
		const {app} = running;
		const {state} = app;
		tellElsewhere();
		// // These replace the message before them.
		then?.(app);
		announceDrafts(running);
		const {latest: message, say, warn} = state().messages;
		const {elsewhere} = state().work;
		const draftsElsewhere = state().drafts.elsewhere;
		// // A failure is more important than the place.
		if (message?.kind === 'failed') return;
		const name = nameOf(state());
		const isNamed =
			message?.text === elsewhereInWords(draftsElsewhere) && draftsElsewhere.length <= kept.length;
		const sentences = [
			...(name === undefined ? [] : [`Now in ${name}.`]),
			...elsewhere.map(one => `${elsewhereWords(one)}.`),
			...(kept.length === 0 ? [] : [`Kept as ${counted(kept.length, 'draft')}: ${kept.join(', ')}.`]),
			...(closed.length === 0 ? [] : [`Left in ${place}: ${closed.join(', ')}.`]),
			...(message && !isNamed ? [message.text] : []),
		];
		const tell = message?.kind === 'warned' && !isNamed ? warn : say;
		if (sentences.length > 0) tell(sentences.join(' '));
	}

	/** Announces the drafts of this account; with contexts, once the account is known. */
	function announceDrafts({app, hasContexts}: Running): void {
		const {state} = app;
		const isKnown = !hasContexts || state().connection.data?.accountId !== undefined;
		if (isKnown) state().drafts.announce();
		setImmediate(async () => {
			await lookFurther(app);
			if (!isKnown) state().drafts.announce();
		});
	}

	/** Leaves a session: its input is kept as drafts, and its writes continue. */
	function leave(running: Running): void {
		const {store, state} = running.app;
		state().edits.endAll();
		if (!state().work.list.some(isFinished)) {
			running.end();
			return;
		}
		const place = placeName(running);
		// // Its open question is declined, and what ends is reported by a message.
		state().dialog.close();
		state().keys.close();
		state().navigation.go('home');
		state().messages.clear();
		const stop = store.subscribe(({work: {list: work}}, {work: {list: before}}) => {
			const ended = before.filter(one => isFinished(one) && !work.includes(one));
			// // Its failure is set after it has ended.
			if (ended.length > 0) setImmediate(() => report(ended.map(({label}) => label).join(', ')));
		});
		left.set(running, stop);
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
			if (!work.some(isFinished) && left.delete(running)) {
				stop();
				running.end();
			}
			tellElsewhere();
			// // The draft of sent input is gone.
			current.app.state().drafts.find();
		}
	}

	/** Shows the work of left sessions in the current one. */
	function tellElsewhere(): void {
		const elsewhere = [...left.keys()].map(running => {
			const {state} = running.app;
			return {
				place: placeName(running),
				labels: state()
					.work.list.filter(isFinished)
					.map(({label}) => label),
				async end() {
					await endOf(state());
					for (const work of state().work.list) work.cancel();
				},
			};
		});
		current.app.state().work.showElsewhere(elsewhere);
	}

	return {
		current: () => current.app,
		all: () => [current.app, ...[...left.keys()].map(({app}) => app)],
		end() {
			current.app.state().edits.endAll();
			for (const one of [current, ...left.keys()]) one.end();
		},
	};
}

/** Formats where a session acts. */
const placeName = ({app}: Running): string => nameOf(app.state()) ?? 'the session before';

/** Returns a key that is equal for sessions with the same settings. */
function placeOf({connection: {data: connection}}: Has<'connection'>): string {
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
async function letGo({app: {state}}: Running): Promise<readonly string[]> {
	for (const work of state().work.list) if (!isFinished(work)) work.cancel();
	const closed = entriesOf(state().navigation.screens).map(([, screen]) => screen.letGo?.(state()));
	return (await Promise.all(closed)).filter(name => name !== undefined);
}

/** Lists unsaved input by the names of its forms. */
const keptIn = (state: LedgeState): readonly string[] => [
	...unsavedEdits(state).map(({key, label}) => `${key} in ${label}`),
	...entriesOf(state.navigation.screens).flatMap(([, screen]) => screen.openForm?.(state) ?? []),
];
