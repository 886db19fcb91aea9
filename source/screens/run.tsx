import {setFlagsFromString} from 'node:v8';
import {render, useApp as useInk} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {PointerContext, PointerRegions} from '../components/pointer.ts';
import {findNews, spokenFrameSize, spokenSize, spokenTheme, toSpokenLines} from '../components/spoken.ts';
import {readTheme, type Theme} from '../components/theme.ts';
import {createInkStdin} from '../keyboard/ink-stdin.ts';
import {listenToKeys} from '../keyboard/keyboard.ts';
import type {SessionOptions, SessionParts} from '../session/parts.ts';
import {formatForeground} from '../settings/preferences/colors.ts';
import {readPreferences} from '../settings/preferences/file.ts';
import type {Preferences} from '../settings/preferences/preferences.ts';
import {watchPreferences} from '../settings/preferences/watch.ts';
import {buildCopySequence, maxClipboardBytes} from '../terminal/clipboard.ts';
import type {ControllingTerminal} from '../terminal/controlling-terminal.ts';
import {createFrameStream, toAscii} from '../terminal/frames.ts';
import {type FullScreen, openFullScreen} from '../terminal/full-screen.ts';
import {supportsLinks} from '../terminal/links.ts';
import {supportsUtf8} from '../terminal/locale.ts';
import {createSpokenFrames} from '../terminal/spoken-frames.ts';
import {toDrawable} from '../text/columns.ts';
import {cutEnd} from '../text/cut.ts';
import {Root} from './app.tsx';
import {createPointerHandler} from './pointing.ts';
import {openSessions, type Sessions} from './sessions.ts';
import type {Action, App, Terminal} from './shell/app.ts';
import {describeUndoEnd} from './shell/leaving.ts';
import {listScreens} from './shell/screen.ts';
import {createWindowTitle} from './window-title.ts';

/** Maximum columns of the text that a message about copying repeats. */
const maxCopyPreview = 40;

type ScreenParts = Pick<SessionParts, 'env' | 'cwd' | 'startSimulated' | 'startRehearsal'> &
	Partial<Pick<ControllingTerminal, 'stdin' | 'stdout'>> & {
		/** Changes which actions there are. */
		readonly adaptActions?: ((actions: readonly Action[]) => readonly Action[]) | undefined;
		/** Called with the first session before it is drawn. */
		readonly onOpen?: ((app: App) => void) | undefined;
	};

export type ScreenOptions = SessionOptions & {
	readonly screenReader?: boolean | undefined;
	/** Opens the screen where the previous run was left. */
	readonly last?: boolean | undefined;
};

/** Maximum frames a second: a held key repeats 30 times a second, and each repeat is drawn. */
const frameRateLimit = 120;

/** Shows the screens until the person quits. */
export async function runScreens(options: ScreenOptions, parts: ScreenParts): Promise<void> {
	const {env, stdin = process.stdin, stdout = process.stdout} = parts;
	const initialPreferences = await readPreferences(env);
	const utf8 = supportsUtf8(env);
	const isSpoken = isSpokenMode(options, env);
	const colorDepth = stdout.getColorDepth(env);
	const chooseTheme = (preferences: Preferences | undefined) =>
		isSpoken
			? spokenTheme
			: {
					...readTheme(env, utf8, preferences?.theme, colorDepth),
					colorDepth,
					hasLinks: supportsLinks(stdout, env),
				};
	let theme = chooseTheme(initialPreferences);
	const hasMouse = !isSpoken && isMouseEnabled(env, initialPreferences);
	const hasTitle = !isSpoken && initialPreferences?.defaults.title?.value === true;
	const regions = new PointerRegions();
	const handlePointer = createPointerHandler(regions);
	const ink = createInkStdin();

	// Keys typed before the first frame wait for it.
	const firstFrame = Promise.withResolvers<void>();
	const keyboard = listenToKeys(
		stdin,
		key => (key.at && !hasMouse) || handlePointer(sessions.getCurrent(), key),
		firstFrame.promise,
	);
	const fullScreen = openFullScreen({stdin, stdout, keyboard, mouse: hasMouse, title: hasTitle});
	const followWithTitle = hasTitle
		? createWindowTitle(sequence => stdout.write(utf8 ? sequence : toAscii(sequence)))
		: undefined;
	const interruptionRecorders = new Set<() => string>();
	const quit = () => inkInstance?.unmount();
	const terminal: Omit<Terminal, 'restart'> = {
		copy(text) {
			const copyResult = buildCopySequence(text, env);
			if ('tooLarge' in copyResult)
				return `Not copied: terminals take at most ${maxClipboardBytes} bytes, and this is ${copyResult.tooLarge}.`;
			stdout.write(copyResult.sequence);
			const condition = env.TMUX
				? 'if tmux lets it through (set-clipboard on)'
				: 'if your terminal allows it';
			return `Copied ${cutEnd(toDrawable(text.trim().replace(/\n.*/s, '…')), maxCopyPreview)}, ${condition}.`;
		},
		handOver: fullScreen.handOver,
		suspend: () => void fullScreen.suspend(),
		countListRows: () => regions.countListRows(),
		quit,
		forward: ink.send,
	};

	const renderTree = (app: App): ReactElement => (
		<PointerContext value={regions}>
			<Attached app={app} theme={theme} fullScreen={fullScreen} unmount={quit} />
		</PointerContext>
	);
	let inkInstance: ReturnType<typeof render> | undefined;
	let sessions: Sessions;
	let exitMessages: readonly (string | undefined)[] = [];
	const getSize = () => (isSpoken ? spokenSize : {columns: stdout.columns, rows: stdout.rows});
	const spokenFrames = isSpoken ? createSpokenFrames(stdout, spokenFrameSize, findSpokenNews) : undefined;
	const handleResize = () => sessions.getCurrent().state().navigation.resize(getSize());
	try {
		sessions = await openSessions(options, {
			...parts,
			lendTerminal: createTerminalLender(fullScreen),
			terminal,
			interruptionRecorders,
			getSize,
			adaptActions: parts.adaptActions,
			show(app) {
				followWithTitle?.(app);
				inkInstance?.rerender(renderTree(app));
			},
		});
		parts.onOpen?.(sessions.getCurrent());
		fullScreen.onEnd(({kind}) => {
			const isSending = sessions
				.listAll()
				.map(app => app.state())
				.some(state => listScreens(state.navigation.screens).some(([, screen]) => screen.isSending?.(state)));
			sessions.getCurrent().state().edits.saveAllAtExit();
			if (!parts.adaptActions) sessions.getCurrent().state().places.storeLast();
			// The outcome of these writes will not be seen: the audit log says so.
			if (kind !== 'closed' || isSending)
				for (const recordInterruption of interruptionRecorders) recordInterruption();
		});
		stdout.on('resize', handleResize);
		fullScreen.onReturn(handleResize);
		fullScreen.onReturn(() => followWithTitle?.());
		followWithTitle?.(sessions.getCurrent());
		inkInstance = render(renderTree(sessions.getCurrent()), {
			stdin: ink.stream,
			stdout:
				spokenFrames?.stream ??
				createFrameStream(stdout, {utf8, getTextStyle: () => getTextStyle(theme, stdout, env)}),
			alternateScreen: !isSpoken,
			// Whole frames, without erasing the previous one.
			debug: isSpoken,
			isScreenReaderEnabled: false,
			incrementalRendering: true,
			interactive: true,
			exitOnCtrlC: false,
			maxFps: frameRateLimit,
		});
		firstFrame.resolve();
		using _watcher = watchPreferences(env, async preferences => {
			const previousStyle = getTextStyle(theme, stdout, env);
			theme = chooseTheme(preferences);
			await sessions.setPreferences(preferences);
			// Unchanged lines would keep the previous style.
			if (getTextStyle(theme, stdout, env) !== previousStyle) inkInstance?.clear();
			inkInstance?.rerender(renderTree(sessions.getCurrent()));
		});
		// Screens allocate little at a time; the new space would otherwise grow to 16 MB.
		setFlagsFromString('--semi-space-growth-factor=1');
		// Limits inlining: each compiler thread would otherwise keep up to 4 MB.
		setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
		await inkInstance.waitUntilExit();
		spokenFrames?.flush();
		exitMessages = sessions.listAll().flatMap(({state}) => {
			const finalState = state();
			return [
				...listScreens(finalState.navigation.screens).map(([, screen]) =>
					screen.getQuitMessage?.(finalState),
				),
				finalState.work.isQuitting ? finalState.messages.latest?.text : undefined,
				...describeUndoEnd(finalState),
			];
		});
		sessions.end();
	} finally {
		stdout.off('resize', handleResize);
		fullScreen.close();
	}
	for (const message of exitMessages)
		if (message !== undefined) process.stderr.write(`${toDrawable(message)}\n`);
}

/** True if changes are printed as words: by the option, or a variable of ledge or Ink. */
const isSpokenMode = ({screenReader}: ScreenOptions, env: NodeJS.ProcessEnv): boolean =>
	screenReader === true ||
	/^(1|true|yes|on)$/i.test(env.LEDGE_SCREEN_READER ?? '') ||
	env.INK_SCREEN_READER === 'true';

/** Returns the style of text without a colour of its own. */
const getTextStyle = ({textColor}: Theme, stdout: NodeJS.WriteStream, env: NodeJS.ProcessEnv): string =>
	textColor === undefined ? '' : formatForeground(textColor, stdout.getColorDepth(env));

/** True unless the variable, or else the preferences, turn the mouse off. */
const isMouseEnabled = (env: NodeJS.ProcessEnv, preferences: Preferences | undefined): boolean =>
	env.LEDGE_MOUSE
		? !/^(0|false|no|off)$/i.test(env.LEDGE_MOUSE)
		: (preferences?.defaults.mouse?.value ?? true);

const findSpokenNews = (before: string, after: string): readonly string[] =>
	findNews(toSpokenLines(before), toSpokenLines(after));

/**
 * Creates a function that lends the terminal to one program at a time, which may ask for a password.
 * `work` is called with whether it has the terminal: while an editor has it, programs run without.
 */
function createTerminalLender({
	handOver,
	hasTerminal,
}: FullScreen): NonNullable<SessionParts['lendTerminal']> {
	let lastLending: Promise<unknown> = Promise.resolve();
	return (work, program) => {
		const run = () => {
			// The screens are hidden: says what is being waited for.
			process.stderr.write(`ledge: waiting for ${toDrawable(program)}\n`);
			return work(true);
		};
		const lending = lastLending.then(() => (hasTerminal() ? handOver(run) : work(false)));
		lastLending = lending.catch(() => {});
		return lending;
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
	// As early as possible, so that a crash is reported on the normal screen.
	useLayoutEffect(
		() => fullScreen.attach({unmount, suspendTerminal}),
		[fullScreen, unmount, suspendTerminal],
	);
	return <Root app={app} theme={theme} />;
}
