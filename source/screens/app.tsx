import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {useShallow} from 'zustand/react/shallow';
import {CoveredContext} from '../components/covered.ts';
import {Frame, Header, type HeaderProps, type Hint, Hints, listCutTexts} from '../components/frame.tsx';
import {isLargeEnough, minSize} from '../components/layout.ts';
import {type Marks, type Theme, ThemeContext, useTheme} from '../components/theme.ts';
import type {LedgeState} from '../store/ledge-store.ts';
import {formatDuration} from '../terminal/progress.ts';
import {
	getActiveFilter,
	getContextColor,
	getScreenPath,
	getSessionName,
	getTargetLink,
	getTargetName,
	isProduction,
	listBadges,
	listHeaderDetails,
} from './path.ts';
import {getInputContext} from './shell/action.ts';
import {findFailureKey, listHintedActions} from './shell/action-lists.ts';
import type {App} from './shell/app.ts';
import {DialogView} from './shell/dialog.tsx';
import {computeDialogSize} from './shell/dialog-size.ts';
import type {Dialog} from './shell/dialog-slice.ts';
import {formatKeyName} from './shell/key-names.ts';
import {describeWorkElsewhere} from './shell/leaving.ts';
import type {Viewport} from './shell/navigation-slice.ts';
import {Popup, type PopupPlace, usePopupPlace} from './shell/popup.tsx';
import {listScreens} from './shell/screen.ts';
import {getCurrentScreen} from './shell/screen-name.ts';
import {FilterLine, getMonotonicTime, StatusLine, useClock} from './shell/status.tsx';
import {AppProvider, useApp, useLedge} from './shell/use-ledge.ts';
import {getScreenView} from './views.tsx';

/** Draws everything. */
export function Root({app, theme}: {readonly app: App; readonly theme: Theme}): ReactElement {
	return (
		<AppProvider value={app}>
			<ThemeContext value={theme}>
				<SizedRoot />
			</ThemeContext>
		</AppProvider>
	);
}

function SizedRoot(): ReactElement {
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	if (isLargeEnough({columns, rows})) return <WholeScreen columns={columns} rows={rows} />;
	return (
		<Box height={rows} overflow="hidden">
			<Text>{`ledge needs ${minSize.columns}×${minSize.rows}; this window is ${columns}×${rows}. Enlarge it, or ctrl-c to quit.`}</Text>
		</Box>
	);
}

function WholeScreen({columns, rows}: {readonly columns: number; readonly rows: number}): ReactElement {
	const dialog = useLedge(state => state.dialog.current);
	const screen = useLedge(getCurrentScreen);
	const viewport = useLedge(state => state.navigation.viewport);
	const {Body} = getScreenView(screen);
	const place = usePopupPlace(viewport, dialog !== undefined);
	const isBodyVisible = !dialog || computeDialogSize(viewport, dialog.kind).isPopup;
	return (
		<Frame
			rows={rows}
			header={
				<CoveredContext value={dialog !== undefined}>
					<HeaderLine columns={columns} />
				</CoveredContext>
			}
			status={<StatusArea columns={columns} rows={rows} />}
			hints={<Keyhints columns={columns} />}
		>
			{isBodyVisible && (
				<CoveredContext value={dialog !== undefined}>
					<Body />
				</CoveredContext>
			)}
			{dialog && <OpenDialog dialog={dialog} place={place} viewport={viewport} />}
		</Frame>
	);
}

/** Returns the header of the current screen. */
function useHeader(columns: number): HeaderProps {
	const path = useLedge(useShallow(getScreenPath));
	const target = useLedge(getTargetName);
	const targetLink = useLedge(getTargetLink);
	const badges = useLedge(useShallow(listBadges));
	const sideDetails = useLedge(useShallow(listHeaderDetails));
	const name = useLedge(getSessionName);
	const color = useLedge(getContextColor);
	const isTargetProduction = useLedge(isProduction);
	const filter = useLedge(state => getActiveFilter(state)?.text);
	const countsText = useLedge(state => getActiveFilter(state)?.countsText);
	return {
		path,
		target,
		targetLink,
		name,
		color,
		sideDetails,
		badges,
		isProduction: isTargetProduction,
		filter,
		countsText,
		columns,
	};
}

const HeaderLine = ({columns}: {readonly columns: number}): ReactElement => (
	<Header {...useHeader(columns)} quotaWait={useQuotaWait()} />
);

/** Draws a dialog, with the parts of the target that the header cuts, in its popup or in place of the body. */
function OpenDialog({
	dialog,
	place,
	viewport,
}: {
	readonly dialog: Dialog;
	readonly place: PopupPlace;
	readonly viewport: Viewport;
}): ReactElement {
	const cutTexts = listCutTexts(useHeader(viewport.columns), useTheme().marks);
	const targetNote = cutTexts.length === 0 ? undefined : `In ${cutTexts.join(', ')}.`;
	const {isPopup, columns, rows, margin} = computeDialogSize(viewport, dialog.kind);
	// A problem is shown in full, even over the current row.
	const hasProblem = 'problem' in dialog && dialog.problem !== undefined;
	const dialogRows = isPopup && dialog.kind !== 'help' && !hasProblem ? place.maxContentRows : rows;
	const view = (
		<DialogView
			dialog={dialog}
			hiddenTarget={targetNote}
			columns={columns}
			rows={dialogRows}
			isFramed={isPopup}
		/>
	);
	if (!isPopup)
		return (
			<Box flexDirection="column" paddingX={margin}>
				{view}
			</Box>
		);
	return (
		<Popup viewport={viewport} contentColumns={columns} place={place} isDanger={isDangerous(dialog)}>
			{view}
		</Popup>
	);
}

/** True for a question that destroys something, and for failures. */
const isDangerous = (dialog: Dialog): boolean =>
	dialog.kind === 'confirm' ||
	dialog.kind === 'failure' ||
	(dialog.kind === 'field' && dialog.requiredInput !== undefined);

/** Formats how long the quota is used up; in steps of ten seconds for screen readers. */
function useQuotaWait(): string | undefined {
	const quotaUntil = useLedge(state => state.work.quotaUntil);
	const now = useClock(quotaUntil !== undefined, getMonotonicTime);
	const step = useTheme().isSpoken ? 10 : 1;
	if (quotaUntil === undefined || quotaUntil <= now) return undefined;
	return formatDuration(Math.ceil((quotaUntil - now) / 1000 / step) * step);
}

function StatusArea({columns, rows}: {readonly columns: number; readonly rows: number}): ReactElement {
	const filterBuffer = useLedge(state =>
		state.dialog.isFiltering && !state.dialog.current ? state.dialog.lineBuffer : undefined,
	);
	const {marks} = useTheme();
	const statusText = useLedge(state => formatStatusText(state, marks));
	const showsReadProgress = useLedge(
		state => getScreenView(getCurrentScreen(state)).showsReadProgress?.(state) ?? false,
	);
	const {actions} = useApp();
	const failureKey = useLedge(state => findFailureKey(actions, state));
	if (filterBuffer) return <FilterLine buffer={filterBuffer} counts={statusText} columns={columns} />;
	return (
		<StatusLine
			statusText={statusText}
			showsReadProgress={showsReadProgress}
			failureKey={failureKey}
			columns={columns}
			rows={rows}
		/>
	);
}

/** Formats the current screen's status after the progress of long work elsewhere. */
function formatStatusText(state: LedgeState, marks: Marks): string {
	const currentScreen = getCurrentScreen(state);
	// Not on the jobs screen, which has a row for each job.
	const jobTexts = listScreens(state.navigation.screens).flatMap(([screen, {job}]) =>
		screen === currentScreen || currentScreen === 'jobs' ? [] : (job?.formatProgress?.(state) ?? []),
	);
	const otherWorkTexts = state.work.elsewhere.map(describeWorkElsewhere);
	const hasSplitWords = state.navigation.screens[currentScreen].filter?.hasSplitWords?.(state);
	return [
		...(hasSplitWords ? ['no exact match: all words'] : []),
		...otherWorkTexts,
		...jobTexts.filter(Boolean),
		getScreenView(currentScreen).formatStatus(state, marks),
	].join('   ');
}

/** Returns the state that the screen shows, which may lag behind: hints fit what is drawn. */
const getDrawnState = (state: LedgeState): LedgeState =>
	state.navigation.screens[getCurrentScreen(state)].getDrawnState?.(state) ?? state;

function Keyhints({columns}: {readonly columns: number}): ReactElement {
	const {marks} = useTheme();
	const {actions} = useApp();
	const context = useLedge(state => getInputContext(getDrawnState(state)));
	const hintedActions = useLedge(useShallow(state => listHintedActions(actions, getDrawnState(state))));
	const hints = hintedActions.flatMap(({id, keys: [key], hint = ''}): readonly Hint[] =>
		key === undefined
			? []
			: [{keys: formatKeyName(key, marks), label: hint, target: {kind: 'action', id, key}}],
	);
	return <Hints key={context} hints={hints} columns={columns} />;
}
