import {Box, Text} from 'ink';
import type {ComponentProps, ReactElement} from 'react';
import {useShallow} from 'zustand/react/shallow';
import {cutInHeader, Frame, Header, type HeaderProps, type Hint, Hints} from '../components/frame.tsx';
import {bodyRows, fits, leastSize} from '../components/layout.ts';
import {type Marks, type Theme, ThemeContext, useTheme} from '../components/theme.ts';
import type {LedgeState} from '../store/ledge-store.ts';
import {duration} from '../terminal/progress.ts';
import {asideOf, badgesOf, colorOf, filterOf, isProduction, nameOf, pathOf, targetOf} from './path.ts';
import {contextOf} from './shell/action.ts';
import {hintedActions} from './shell/action-lists.ts';
import type {App} from './shell/app.ts';
import {DialogView} from './shell/dialog.tsx';
import {keyName} from './shell/key-names.ts';
import {elsewhereWords} from './shell/leaving.ts';
import {entriesOf} from './shell/screen.ts';
import {screenOf} from './shell/screen-name.ts';
import {elapsed, FilterLine, StatusLine, useClock} from './shell/status.tsx';
import {AppProvider, useApp, useLedge} from './shell/use-ledge.ts';
import {viewOf} from './views.tsx';

/** Draws everything. */
export function Root({app, theme}: {readonly app: App; readonly theme: Theme}): ReactElement {
	return (
		<AppProvider value={app}>
			<ThemeContext value={theme}>
				<Sized />
			</ThemeContext>
		</AppProvider>
	);
}

function Sized(): ReactElement {
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	if (fits({columns, rows})) return <Whole columns={columns} rows={rows} />;
	return (
		<Box height={rows} overflow="hidden">
			<Text>{`ledge needs ${leastSize.columns}×${leastSize.rows}; this is ${columns}×${rows}. Make the window larger, or ctrl-c.`}</Text>
		</Box>
	);
}

function Whole({columns, rows}: {readonly columns: number; readonly rows: number}): ReactElement {
	const dialog = useLedge(state => state.dialog.current);
	const screen = useLedge(screenOf);
	const {Body} = viewOf(screen);
	return (
		<Frame
			rows={rows}
			header={<Place columns={columns} />}
			status={<Status columns={columns} />}
			hints={<Keyhints columns={columns} />}
		>
			{dialog ? <DialogInPlace dialog={dialog} columns={columns} rows={bodyRows(rows)} /> : <Body />}
		</Frame>
	);
}

/** Returns the header of the current screen. */
function useHeader(columns: number): HeaderProps {
	const path = useLedge(useShallow(pathOf));
	const target = useLedge(targetOf);
	const badges = useLedge(useShallow(badgesOf));
	const aside = useLedge(useShallow(asideOf));
	const name = useLedge(nameOf);
	const color = useLedge(colorOf);
	const inProduction = useLedge(isProduction);
	const filter = useLedge(state => filterOf(state)?.text);
	const counts = useLedge(state => filterOf(state)?.counts);
	return {
		path,
		target,
		name,
		color,
		aside,
		badges,
		isProduction: inProduction,
		filter,
		counts,
		columns,
	};
}

const Place = ({columns}: {readonly columns: number}): ReactElement => (
	<Header {...useHeader(columns)} quota={useQuota()} />
);

/** Draws a dialog with the parts of the target that the header cuts. */
function DialogInPlace({dialog, columns, rows}: ComponentProps<typeof DialogView>): ReactElement {
	const cut = cutInHeader(useHeader(columns), useTheme().marks);
	const where = cut.length === 0 ? undefined : `In ${cut.join(', ')}.`;
	return <DialogView dialog={dialog} where={where} columns={columns} rows={rows} />;
}

/** Formats how long the quota is used up; in steps of ten seconds for screen readers. */
function useQuota(): string | undefined {
	const until = useLedge(state => state.work.quotaUntil);
	const now = useClock(until !== undefined, elapsed);
	const step = useTheme().isSpoken ? 10 : 1;
	if (until === undefined || until <= now) return undefined;
	return duration(Math.ceil((until - now) / 1000 / step) * step);
}

function Status({columns}: {readonly columns: number}): ReactElement {
	const line = useLedge(state =>
		state.dialog.isFiltering && !state.dialog.current ? state.dialog.line : undefined,
	);
	const {marks} = useTheme();
	const own = useLedge(state => ownStatus(state, marks));
	const tellsRead = useLedge(state => viewOf(screenOf(state)).tellsRead?.(state) ?? false);
	if (line) return <FilterLine line={line} found={own} columns={columns} />;
	return <StatusLine own={own} tellsRead={tellsRead} columns={columns} />;
}

/** Formats the current screen's status after the progress of long work elsewhere. */
function ownStatus(state: LedgeState, marks: Marks): string {
	const front = screenOf(state);
	// // The jobs screen has a row for each.
	const briefs = entriesOf(state.navigation.screens).flatMap(([screen, {job}]) =>
		screen === front || front === 'jobs' ? [] : (job?.brief?.(state) ?? []),
	);
	const elsewhere = state.work.elsewhere.map(elsewhereWords);
	return [...elsewhere, ...briefs.filter(Boolean), viewOf(front).status(state, marks)].join('   ');
}

const drawn = (state: LedgeState): LedgeState =>
	state.navigation.screens[screenOf(state)].drawn?.(state) ?? state;

function Keyhints({columns}: {readonly columns: number}): ReactElement {
	const {marks} = useTheme();
	const {actions} = useApp();
	const context = useLedge(state => contextOf(drawn(state)));
	const hinted = useLedge(useShallow(state => hintedActions(actions, drawn(state))));
	const hints = hinted.map(({keys, hint = ''}): Hint => ({keys: keyName(keys[0], marks), does: hint}));
	return <Hints key={context} hints={hints} columns={columns} />;
}
