import type {CredentialSource} from '../credentials/source.ts';
import {asFailure} from '../failure.ts';
import {type Choices, choicesAfter, optionsWith, type Restart} from '../session/restarted.ts';
import {openSession, type SessionOptions, type SessionParts} from '../session/session.ts';
import {createLedgeStore, type LedgeState, type LedgeStore} from '../store/ledge-store.ts';
import type {Ports} from '../store/slice.ts';
import {counted} from '../text/figures.ts';
import {actions} from './actions.ts';
import {unsavedEdits} from './edit/slice.ts';
import {lookFurther} from './home/actions.ts';
import {nameOf} from './path.ts';
import type {App, Terminal} from './shell/action.ts';
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
	/** Whether this machine has contexts. */
	readonly hasContexts: boolean;
	end(): void;
};

/**
 * Opens the first session, and others in its place as the person chooses. A session that is left keeps what it writes: its
 * jobs finish where they were begun, and are reported in front.
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
	const left = new Set<Running>();
	let choices: Choices = {};
	let isSwitching = false;
	let current = await open(started);
	offerDrafts(current);

	/** Finds out what is configured; the service is not asked. */
	async function open(options: SessionOptions): Promise<Running> {
		const session = await openSession(options, {
			...ofSession,
			credentials,
			events: {
				record: call => store.getState().record(call),
				waiting: wait => store.getState().waiting(wait),
				warn: sentence => store.getState().warn(sentence),
				unaudited: sentence => store.getState().warnBeside(sentence),
				// A job of a session that was left asks where the person sees it.
				confirmProduction: write => askAboutProduction(current.app.store, write),
				underWay(leaving) {
					underWay.add(leaving);
					return () => underWay.delete(leaving);
				},
			},
		});
		const store: LedgeStore = createLedgeStore({session, ...clocks});
		const state = () => store.getState();
		state().resized(size());
		await state().lookAround();
		return {
			hasContexts: session.contexts.contexts !== undefined,
			app: {
				store,
				actions,
				state,
				terminal: {...terminal, restart: (into, then) => void change(into, then)},
			},
			end() {
				for (const work of state().work) work.cancel();
				state().closeKeys();
				session[Symbol.dispose]();
			},
		};
	}

	async function change(into: Restart, then?: (app: App) => void): Promise<void> {
		if (isSwitching) return;
		isSwitching = true;
		const before = current;
		const chosen = choicesAfter(choices, into);
		try {
			const next = await open(optionsWith(started, chosen));
			const problem = next.app.state().connection?.problem;
			if (problem && !before.app.state().connection?.problem) {
				next.end();
				throw problem;
			}
			choices = chosen;
			const kept = keptIn(before.app.state());
			leave(before);
			current = next;
			show(next.app);
			begin(next, kept, then);
		} catch (error) {
			before.app.state().fail(asFailure(error));
		} finally {
			isSwitching = false;
		}
	}

	function begin(running: Running, kept: readonly string[], then: ((app: App) => void) | undefined): void {
		const {app} = running;
		const {state} = app;
		tellElsewhere();
		// What these read and report takes the message before them away.
		then?.(app);
		offerDrafts(running);
		const name = nameOf(state());
		const sentences = [
			...(name === undefined ? [] : [`Now in ${name}.`]),
			...state().elsewhere.map(one => `${elsewhereWords(one)}.`),
			...(kept.length === 0 ? [] : [`Kept as ${counted(kept.length, 'draft')}: ${kept.join(', ')}.`]),
		];
		if (sentences.length > 0) state().say(sentences.join(' '));
	}

	/**
	 * Offers the drafts of this account, and finds out the rest. Where contexts lead to several accounts, drafts are offered
	 * once the account is known, unless something else is done by then.
	 */
	function offerDrafts({app, hasContexts}: Running): void {
		const {state} = app;
		const isKnown = !hasContexts || state().connection?.accountId !== undefined;
		if (isKnown) state().offerDrafts();
		setImmediate(async () => {
			await lookFurther(app);
			const {dialog, filtering, stack, offerDrafts: offer, findDrafts} = state();
			if (isKnown) return;
			if (dialog || filtering || stack.length > 1) findDrafts();
			else offer();
		});
	}

	/** What was typed is a draft now, what only reads ends, and the rest continues. */
	function leave(running: Running): void {
		const {store, state} = running.app;
		state().endEditing();
		for (const work of state().work) if (!isFinished(work)) work.cancel();
		if (!state().work.some(isFinished)) {
			running.end();
			return;
		}
		const place = nameOf(state()) ?? 'the session before';
		// A question that nobody sees from now on is declined, and what ends is reported by a message.
		state().closeDialog();
		state().closeKeys();
		state().go('home');
		state().clearMessage();
		left.add(running);
		const stop = store.subscribe(({work}, {work: before}) => {
			const ended = before.filter(one => isFinished(one) && !work.includes(one));
			// Its failure is reported once it has ended.
			if (ended.length > 0) setImmediate(() => report(ended.map(({label}) => label).join(', ')));
		});
		function report(what: string): void {
			const {message, work, clearMessage} = state();
			clearMessage();
			if (current !== running)
				current.app.store.setState({
					message: {
						...(message ?? {kind: 'said'}),
						text: `${what} (${place}): ${message?.text ?? 'ended'}`,
						at: clocks.elapsed(),
					},
				});
			if (!work.some(isFinished) && left.delete(running)) {
				stop();
				running.end();
			}
			tellElsewhere();
		}
	}

	/** What is under way in sessions that were left, for the one in front. */
	function tellElsewhere(): void {
		const elsewhere = [...left].map(({app: {state}}) => ({
			place: nameOf(state()) ?? 'the session before',
			labels: state()
				.work.filter(isFinished)
				.map(({label}) => label),
			async end() {
				await endOf(state());
				for (const work of state().work) work.cancel();
			},
		}));
		current.app.store.setState({elsewhere});
	}

	return {
		current: () => current.app,
		all: () => [current.app, ...[...left].map(({app}) => app)],
		end() {
			current.app.state().endEditing();
			for (const one of [current, ...left]) one.end();
		},
	};
}

/** What was typed and is not saved, by the names of the forms. */
const keptIn = (state: LedgeState): readonly string[] => [
	...unsavedEdits(state).map(({key, label}) => `${key} in ${label}`),
	...entriesOf(state.screens).flatMap(([, screen]) => screen.openForm?.(state) ?? []),
];
