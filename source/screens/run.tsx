import {setFlagsFromString} from 'node:v8';
import {render, useApp as useInk} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {PointerContext, PointerRegions} from '../components/pointer.ts';
import {newsIn, spokenFrameSize, spokenLines, spokenSize, spokenTheme} from '../components/spoken.ts';
import {type Theme, themeName, themeOf} from '../components/theme.ts';
import {createInkStdin} from '../keyboard/ink-stdin.ts';
import {listen} from '../keyboard/keyboard.ts';
import type {SessionOptions, SessionParts} from '../session/parts.ts';
import {clipboardBytes, copySequence} from '../terminal/clipboard.ts';
import {forFrames} from '../terminal/frames.ts';
import {type FullScreen, openFullScreen} from '../terminal/full-screen.ts';
import {drawsUtf8} from '../terminal/locale.ts';
import {spokenFrames} from '../terminal/spoken-frames.ts';
import {drawable} from '../text/columns.ts';
import {Root} from './app.tsx';
import {createPointing} from './pointing.ts';
import {openSessions, type Sessions} from './sessions.ts';
import type {App, Terminal} from './shell/app.ts';
import {entriesOf} from './shell/screen.ts';

type ScreenParts = Pick<SessionParts, 'env' | 'cwd' | 'startSimulated' | 'startRehearsal'>;

type ScreenOptions = SessionOptions & {readonly screenReader?: boolean | undefined};

/** Maximum frames a second: a held key repeats 30 times a second, and each repeat is drawn. */
const framesASecond = 120;

/** Shows the screens until the person quits. */
export async function runScreens(options: ScreenOptions, parts: ScreenParts): Promise<void> {
	const {env} = parts;
	const utf8 = drawsUtf8(env);
	const isSpoken = isReadAloud(options, env);
	const theme = isSpoken ? spokenTheme : themeOf(themeName(env), utf8);
	const hasMouse = !isSpoken && usesMouse(env);
	const regions = new PointerRegions();
	const point = createPointing(regions);
	const ink = createInkStdin();
	const {stdin, stdout} = process;

	// // Keys typed before the first frame wait for it.
	const drawn = Promise.withResolvers<void>();
	const keyboard = listen(
		stdin,
		key => (key.at && !hasMouse) || point(sessions.current(), key),
		drawn.promise,
	);
	const fullScreen = openFullScreen({stdin, stdout, keyboard, mouse: hasMouse});
	const underWay = new Set<() => string>();
	const quit = () => instance?.unmount();
	const terminal: Omit<Terminal, 'restart'> = {
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
		forward: ink.send,
	};

	const tree = (app: App): ReactElement => (
		<PointerContext value={regions}>
			<Attached app={app} theme={theme} fullScreen={fullScreen} unmount={quit} />
		</PointerContext>
	);
	let instance: ReturnType<typeof render> | undefined;
	let sessions: Sessions;
	let lastWords: readonly (string | undefined)[] = [];
	const size = () => (isSpoken ? spokenSize : {columns: stdout.columns, rows: stdout.rows});
	const spoken = isSpoken ? spokenFrames(stdout, spokenFrameSize, news) : undefined;
	const resized = () => sessions.current().state().navigation.resize(size());
	try {
		sessions = await openSessions(options, {
			...parts,
			lend: lending(fullScreen),
			terminal,
			underWay,
			size,
			show: app => instance?.rerender(tree(app)),
		});
		fullScreen.onEnd(({kind}) => {
			const isSending = sessions
				.all()
				.map(app => app.state())
				.some(state => entriesOf(state.navigation.screens).some(([, screen]) => screen.isSending?.(state)));
			sessions.current().state().edits.endAll();
			// // The outcome of these writes will not be seen: the audit log says so.
			if (kind !== 'closed' || isSending) for (const left of underWay) left();
		});
		stdout.on('resize', resized);
		fullScreen.onReturn(resized);
		instance = render(tree(sessions.current()), {
			stdin: ink.stream,
			stdout: spoken?.stream ?? forFrames(stdout, {utf8}),
			alternateScreen: !isSpoken,
			// // Whole frames, without erasing the previous one.
			debug: isSpoken,
			isScreenReaderEnabled: false,
			incrementalRendering: true,
			interactive: true,
			exitOnCtrlC: false,
			maxFps: framesASecond,
		});
		drawn.resolve();
		// // Screens allocate little at a time; the new space would otherwise grow to 16 MB.
		setFlagsFromString('--semi-space-growth-factor=1');
		// // Limits inlining: each compiler thread would otherwise keep up to 4 MB.
		setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
		await instance.waitUntilExit();
		spoken?.flush();
		lastWords = sessions.all().flatMap(({state}) => {
			const last = state();
			return entriesOf(last.navigation.screens).map(([, screen]) => screen.lastWords?.(last));
		});
		sessions.end();
	} finally {
		stdout.off('resize', resized);
		fullScreen.close();
	}
	for (const words of lastWords) if (words !== undefined) process.stderr.write(`${drawable(words)}\n`);
}

/** True if changes are printed as words: by the option, or a variable of ledge or Ink. */
const isReadAloud = ({screenReader}: ScreenOptions, env: NodeJS.ProcessEnv): boolean =>
	screenReader === true ||
	/^(1|true|yes|on)$/i.test(env.LEDGE_SCREEN_READER ?? '') ||
	env.INK_SCREEN_READER === 'true';

/** True unless the variable turns the mouse off. */
const usesMouse = (env: NodeJS.ProcessEnv): boolean => !/^(0|false|no|off)$/i.test(env.LEDGE_MOUSE ?? '');

const news = (before: string, after: string): readonly string[] =>
	newsIn(spokenLines(before), spokenLines(after));

/**
 * Creates a function that lends the terminal to one program at a time, which may ask for a password. While an
 * editor has the terminal, programs run without it.
 */
function lending({handOver, isOurs}: FullScreen): NonNullable<SessionParts['lend']> {
	let lent: Promise<unknown> = Promise.resolve();
	return (work, program) => {
		const run = () => {
			// // The screens are hidden: says what is being waited for.
			process.stderr.write(`ledge: waiting for ${drawable(program)}\n`);
			return work(true);
		};
		const done = lent.then(() => (isOurs() ? handOver(run) : work(false)));
		lent = done.catch(() => {});
		return done;
	};
}

/** Attaches Ink to the full screen: only Ink can lend the screen to another program. */
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
	// // As early as possible, so that a crash is reported on the normal screen.
	useLayoutEffect(
		() => fullScreen.attach({unmount, suspendTerminal}),
		[fullScreen, unmount, suspendTerminal],
	);
	return <Root app={app} theme={theme} />;
}
