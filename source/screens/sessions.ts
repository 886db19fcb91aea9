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
	/** Writes under way, see `SessionEvents`. */
	readonly underWay: Set<() => string>;
	/** The clocks of the screens; those of the process unless given. */
	readonly clocks?: Pick<Ports, 'now' | 'elapsed'>;
	size(): Viewport;
	/** Another session is in front. */
	show(app: App): void;
};

/** The sessions of one run of the screens. */
export type Sessions = {
	/** What is in front. */
	current(): App;
	/** What is in front, and what was left and still has something under way. */
	all(): readonly App[];
	end(): void;
};

type Running = {
	readonly app: App;
	/** What was chosen for it. */
	readonly choices: Choices;
	/** What sessions have in common that act in the same place. */
	readonly place: string;
	/** Whether this machine has contexts. */
	readonly hasContexts: boolean;
	end(): void;
};

/** How a session comes in front. */
type Beginning = {
	/** What is done first in it. */
	readonly then: ((app: App) => void) | undefined;
	/** Names of what was kept as a draft, and of what was closed, in the session before. */
	readonly kept: readonly string[];
	readonly closed: readonly string[];
	/** Where that session acts. */
	readonly place: string;
};

/**
 * Opens the first session, and others in its place as the person chooses. A session that is left keeps what it writes: its
 * jobs finish where they were begun, and are reported in front. Who comes back meanwhile finds that session, with its jobs.
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
	/** Sessions that were left while they write, and what stops listening to each. */
	const left = new Map<Running, () => void>();
	let choices: Choices = {};
	/** Those of this machine, which the simulated service has none of: they are listed there too, as ways out of it. */
	let contexts: Contexts | undefined;
	let isSwitching = false;
	let current = await open(started);
	announceDrafts(current);

	/** Finds out what is configured; the service is not asked. */
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
				// A job of a session that was left asks where the person sees it.
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

	/** What was left while it writes is found again where the person comes back before its end. */
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

	/** Reports where the person is now, and what became of the rest. */
	function begin(running: Running, {then, kept, closed, place}: Beginning): void {
		const {app} = running;
		const {state} = app;
		tellElsewhere();
		// What these read and report takes the message before them away.
		then?.(app);
		announceDrafts(running);
		const {latest: message, say, warn} = state().messages;
		const {elsewhere} = state().work;
		const draftsElsewhere = state().drafts.elsewhere;
		// What failed there at the same moment is more than where the person is.
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

	/** Announces the drafts of this account: where contexts lead to several accounts, once the account is known. */
	function announceDrafts({app, hasContexts}: Running): void {
		const {state} = app;
		const isKnown = !hasContexts || state().connection.data?.accountId !== undefined;
		if (isKnown) state().drafts.announce();
		setImmediate(async () => {
			await lookFurther(app);
			if (!isKnown) state().drafts.announce();
		});
	}

	/** What was typed is a draft now, and what is sent continues. */
	function leave(running: Running): void {
		const {store, state} = running.app;
		state().edits.endAll();
		if (!state().work.list.some(isFinished)) {
			running.end();
			return;
		}
		const place = placeName(running);
		// A question that nobody sees from now on is declined, and what ends is reported by a message.
		state().dialog.close();
		state().keys.close();
		state().navigation.go('home');
		state().messages.clear();
		const stop = store.subscribe(({work: {list: work}}, {work: {list: before}}) => {
			const ended = before.filter(one => isFinished(one) && !work.includes(one));
			// Its failure is reported once it has ended.
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
			// The draft of what was sent is gone.
			current.app.state().drafts.find();
		}
	}

	/** What is under way in sessions that were left, for the one in front. */
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

/** Where a session acts, in a sentence. */
const placeName = ({app}: Running): string => nameOf(app.state()) ?? 'the session before';

/** What sessions have in common that act in the same place, as far as settings say it. */
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

/** Ends what only reads, and closes what nobody else could open meanwhile. Returns what that was, by its name. */
async function letGo({app: {state}}: Running): Promise<readonly string[]> {
	for (const work of state().work.list) if (!isFinished(work)) work.cancel();
	const closed = entriesOf(state().navigation.screens).map(([, screen]) => screen.letGo?.(state()));
	return (await Promise.all(closed)).filter(name => name !== undefined);
}

/** What was typed and is not saved, by the names of the forms. */
const keptIn = (state: LedgeState): readonly string[] => [
	...unsavedEdits(state).map(({key, label}) => `${key} in ${label}`),
	...entriesOf(state.navigation.screens).flatMap(([, screen]) => screen.openForm?.(state) ?? []),
];
