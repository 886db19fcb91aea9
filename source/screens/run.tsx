import {render, useApp as useInk} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {drawsUtf8, type Theme, themeName, themeOf} from '../components/theme.ts';
import {createInkStdin} from '../keyboard/ink-stdin.ts';
import {listen} from '../keyboard/keyboard.ts';
import {type Restart, restarted} from '../session/restarted.ts';
import {createSession, type SessionOptions, type SessionParts} from '../session/session.ts';
import {createLedgeStore, type LedgeStore} from '../store/ledge-store.ts';
import {clipboardBytes, copySequence} from '../terminal/clipboard.ts';
import {forFrames} from '../terminal/frames.ts';
import {type FullScreen, openFullScreen} from '../terminal/full-screen.ts';
import {drawable} from '../text/columns.ts';
import {actions} from './actions.ts';
import {Root} from './app.tsx';
import {dispatch} from './dispatch.ts';
import {lookFurther} from './home/actions.ts';
import type {App, Terminal} from './shell/action.ts';
import {entriesOf} from './shell/screen.ts';

type ScreenParts = Pick<SessionParts, 'env' | 'cwd' | 'startSimulated' | 'startRehearsal'>;

/** Frames a second at most: a key held down repeats 30 times a second, and each repeat is drawn at once. */
const framesASecond = 120;

/** Shows the screens until the person quits. */
export async function runScreens(options: SessionOptions, parts: ScreenParts): Promise<void> {
	const {env} = parts;
	const utf8 = drawsUtf8(env);
	const theme = themeOf(themeName(env), utf8);
	const ink = createInkStdin();
	const {stdin, stdout} = process;

	// What is typed before the first frame waits for it.
	const drawn = Promise.withResolvers<void>();
	const keyboard = listen(stdin, key => dispatch(running.app, key), drawn.promise);
	const fullScreen = openFullScreen({stdin, stdout, keyboard});
	const underWay = new Set<() => string>();
	const quit = () => instance?.unmount();
	let inForce = options;
	const restart = async (into: Restart, then?: (app: App) => void) => {
		running.end();
		inForce = restarted(options, inForce, into);
		running = await begin(inForce);
		instance?.rerender(tree(running.app));
		then?.(running.app);
	};
	const terminal: Terminal = {
		copy(text) {
			const copied = copySequence(text, env);
			if ('tooLarge' in copied)
				return `Not copied: terminals take at most ${clipboardBytes} bytes, and this is ${copied.tooLarge}.`;
			stdout.write(copied.sequence);
			return env.TMUX
				? 'Copied, if tmux lets it through (set-clipboard on).'
				: 'Copied, if your terminal allows it.';
		},
		handOver: fullScreen.handOver,
		suspend: () => void fullScreen.suspend(),
		quit,
		restart: (into, then) => void restart(into, then),
		forward: ink.send,
	};

	/** Finds out what is configured before the first frame; asks the service who we are after it. */
	async function begin(from: SessionOptions): Promise<{app: App; end(): void}> {
		const {app, end} = createApp(from, parts, terminal, underWay);
		app.state().resized({columns: stdout.columns, rows: stdout.rows});
		await app.state().lookAround();
		app.state().offerDrafts();
		setImmediate(() => lookFurther(app));
		return {app, end};
	}

	const tree = (app: App): ReactElement => (
		<Attached app={app} theme={theme} fullScreen={fullScreen} unmount={quit} />
	);
	let instance: ReturnType<typeof render> | undefined;
	let running: Awaited<ReturnType<typeof begin>>;
	let lastWords: readonly (string | undefined)[] = [];
	const resized = () => running.app.state().resized({columns: stdout.columns, rows: stdout.rows});
	try {
		running = await begin(options);
		fullScreen.onEnd(({kind}) => {
			const state = running.app.state();
			const isSending = entriesOf(state.screens).some(([, screen]) => screen.isSending?.(state));
			state.endEditing();
			// Nobody will see how these writes end: the audit log says so.
			if (kind !== 'closed' || isSending) for (const left of underWay) left();
		});
		stdout.on('resize', resized);
		fullScreen.onReturn(resized);
		instance = render(tree(running.app), {
			stdin: ink.stream,
			stdout: forFrames(stdout, {utf8}),
			alternateScreen: true,
			incrementalRendering: true,
			interactive: true,
			exitOnCtrlC: false,
			maxFps: framesASecond,
		});
		drawn.resolve();
		await instance.waitUntilExit();
		const state = running.app.state();
		lastWords = entriesOf(state.screens).map(([, screen]) => screen.lastWords?.(state));
		running.end();
	} finally {
		stdout.off('resize', resized);
		fullScreen.close();
	}
	for (const words of lastWords) if (words !== undefined) process.stderr.write(`${drawable(words)}\n`);
}

/** The store of one run of the screens, and the session it talks to. */
function createApp(
	options: SessionOptions,
	{env, cwd, startSimulated, startRehearsal}: ScreenParts,
	terminal: Terminal,
	underWay: Set<() => string>,
): {app: App; end(): void} {
	const session = createSession(options, {
		env,
		cwd,
		startSimulated,
		startRehearsal,
		events: {
			record: call => store.getState().record(call),
			waiting: wait => store.getState().waiting(wait),
			warn: sentence => store.getState().warn(sentence),
			unaudited: sentence => store.getState().warnBeside(sentence),
			underWay(left) {
				underWay.add(left);
				return () => underWay.delete(left);
			},
		},
	});
	const store: LedgeStore = createLedgeStore({session, now: Date.now, elapsed: () => performance.now()});
	return {
		app: {store, terminal, actions, state: () => store.getState()},
		end() {
			store.getState().endEditing();
			for (const work of store.getState().work) work.cancel();
			store.getState().closeKeys();
			session[Symbol.dispose]();
		},
	};
}

/** Attaches Ink to the guard of the terminal: only Ink itself can lend the screen to another program. */
function Attached({
	app,
	theme,
	fullScreen,
	unmount,
}: {
	readonly app: App;
	readonly theme: Theme;
	readonly fullScreen: FullScreen;
	unmount(): void;
}): ReactElement {
	const {suspendTerminal} = useInk();
	// Before anything can go wrong: a crash is reported on the ordinary screen.
	useLayoutEffect(
		() => fullScreen.attach({unmount, suspendTerminal}),
		[fullScreen, unmount, suspendTerminal],
	);
	return <Root app={app} theme={theme} />;
}
