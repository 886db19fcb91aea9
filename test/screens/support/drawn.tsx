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
	/** The rows without colours and without blanks at their ends. */
	rows(): readonly string[];
	/** Resolves when the rows meet the condition. Otherwise the test times out. */
	until(condition: (rows: readonly string[]) => boolean): Promise<void>;
	/** How many frames were drawn so far. */
	countFrames(): number;
	unmount(): void;
};

class Screen extends EventEmitter {
	readonly columns: number;
	readonly rows: number;
	readonly isTTY = true;
	frame = '';
	frameCount = 0;

	constructor({columns, rows}: Viewport) {
		super();
		this.columns = columns;
		this.rows = rows;
	}

	write(frame: string): boolean {
		this.frame = frame;
		this.frameCount++;
		this.emit('drawn');
		return true;
	}
}

/** An app for a test store. Its terminal only records what is copied. */
export function createTestApp({
	store,
	state,
}: Pick<TestStore, 'store' | 'state'>): App & {readonly copied: string[]} {
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

/** Draws the body of a screen for a terminal of this size, and gives the store the same size. */
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
		countFrames: () => screen.frameCount,
		unmount,
		until: condition =>
			new Promise(resolve => {
				const look = () => {
					if (!condition(rows())) return;
					screen.off('drawn', look);
					resolve();
				};
				screen.on('drawn', look);
				look();
			}),
	};
}
