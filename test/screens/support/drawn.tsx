import {EventEmitter} from 'node:events';
import {stripVTControlCharacters} from 'node:util';
import {Box, render} from 'ink';
import type {ReactElement} from 'react';
import {onTestFinished} from 'vitest';
import {getTheme, ThemeContext, type ThemeName} from '../../../source/components/theme.ts';
import {createInkStdin} from '../../../source/keyboard/ink-stdin.ts';
import {actions} from '../../../source/screens/actions.ts';
import type {App, Terminal} from '../../../source/screens/shell/app.ts';
import type {Viewport} from '../../../source/screens/shell/navigation-slice.ts';
import {AppProvider} from '../../../source/screens/shell/use-ledge.ts';
import type {TestStore} from './store.ts';

export type Drawn = {
	/** The rows as a person sees them, without blanks at their ends. */
	rows(): readonly string[];
	/** Ends when the rows hold what is asked for; the test's time-out ends it otherwise. */
	until(holds: (rows: readonly string[]) => boolean): Promise<void>;
	/** How many frames were drawn so far. */
	frames(): number;
	unmount(): void;
};

class Screen extends EventEmitter {
	readonly columns: number;
	readonly rows: number;
	readonly isTTY = true;
	frame = '';
	count = 0;

	constructor({columns, rows}: Viewport) {
		super();
		this.columns = columns;
		this.rows = rows;
	}

	write(frame: string): boolean {
		this.frame = frame;
		this.count++;
		this.emit('drawn');
		return true;
	}
}

/** The app that a screen is drawn of: a store without a terminal, whose clipboard is a list. */
export function appOf({store, state}: Pick<TestStore, 'store' | 'state'>): App & {readonly copied: string[]} {
	const copied: string[] = [];
	const terminal: Terminal = {
		copy: text => `Copied ${copied.push(text)}.`,
		handOver: work => work(),
		suspend() {},
		quit() {},
		restart() {},
		forward() {},
	};
	return {store, state, actions, terminal, copied};
}

/** Draws the body of a screen as it stands on a terminal of the store's size, which is set by `size`. */
export function draw(
	app: App,
	body: ReactElement,
	size: Viewport = {columns: 80, rows: 24},
	theme: ThemeName = 'dark',
): Drawn {
	app.state().navigation.resize(size);
	const screen = new Screen(size);
	const instance = render(
		<AppProvider value={app}>
			<ThemeContext value={getTheme(theme, true)}>
				<Box flexDirection="column" height={size.rows - 4}>
					{body}
				</Box>
			</ThemeContext>
		</AppProvider>,
		{
			stdout: screen as unknown as NodeJS.WriteStream,
			stderr: screen as unknown as NodeJS.WriteStream,
			stdin: createInkStdin().stream,
			debug: true,
			exitOnCtrlC: false,
			patchConsole: false,
			interactive: true,
		},
	);
	const unmount = () => instance.unmount();
	onTestFinished(unmount);
	const rows = () =>
		stripVTControlCharacters(screen.frame)
			.split('\n')
			.map(row => row.trimEnd());
	return {
		rows,
		frames: () => screen.count,
		unmount,
		until: holds =>
			new Promise(resolve => {
				const look = () => {
					if (!holds(rows())) return;
					screen.off('drawn', look);
					resolve();
				};
				screen.on('drawn', look);
				look();
			}),
	};
}
