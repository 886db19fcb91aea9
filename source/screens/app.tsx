import {Box, Text} from 'ink';
import type {ComponentType, ReactElement} from 'react';
import {Frame, Header, type Hint, Hints} from '../components/frame.tsx';
import {bodyRows, fits, leastSize} from '../components/layout.ts';
import {type Marks, type Theme, ThemeContext, useTheme} from '../components/theme.ts';
import type {LedgeState} from '../store/ledge-store.ts';
import {Accounts, accountsStatus} from './accounts/view.tsx';
import {Activity, activityStatus} from './activity/view.tsx';
import {bulkBrief} from './bulk/state.ts';
import {Bulk, bulkStatus} from './bulk/view.tsx';
import {Compare, compareStatus, tellsCompare} from './compare/view.tsx';
import {withUnsaved} from './edit/unsaved-text.ts';
import {editorStatus} from './edit/verdict.ts';
import {Editor} from './edit/view.tsx';
import {Emergency, emergencyStatus} from './emergency/view.tsx';
import {Firewall, firewallStatus} from './firewall/lists/view.tsx';
import {Home, homeStatus} from './home/view.tsx';
import {Jobs, jobsStatus} from './jobs/view.tsx';
import {keyStatus} from './key/status.ts';
import {Key} from './key/view.tsx';
import {Keys, keysStatus} from './keys/view.tsx';
import {asDrawn} from './migration/throttle.ts';
import {Migration, migrationStatus} from './migration/view/view.tsx';
import {Namespaces, namespaceStatus} from './namespaces/view.tsx';
import {accountOf, badgesOf, pathOf} from './path.ts';
import {Review, reviewStatus} from './review/view.tsx';
import {type App, contextOf} from './shell/action.ts';
import {hintedActions} from './shell/action-lists.ts';
import {DialogView} from './shell/dialog.tsx';
import {keyName} from './shell/key-names.ts';
import {type Screen, screenOf} from './shell/navigation-slice.ts';
import {FilterLine, StatusLine} from './shell/status.tsx';
import {AppProvider, useApp, useLedge} from './shell/use-ledge.ts';
import {transferBrief} from './transfer/state.ts';
import {Transfer, transferStatus} from './transfer/view.tsx';
import {Wizard, wizardStatus} from './wizard/view.tsx';
import {Zones, zonesStatus} from './zones/view.tsx';

type ScreenView = {
	readonly Body: ComponentType;
	status(state: LedgeState, marks: Marks): string;
	/** Whether the status says of the read under way how far it is: then it stands in place of the read's name. */
	readonly tellsRead?: (state: LedgeState) => boolean;
};

const views: Readonly<Record<Screen, ScreenView>> = {
	home: {Body: Home, status: homeStatus},
	namespaces: {Body: Namespaces, status: namespaceStatus},
	keys: {Body: Keys, status: withUnsaved(keysStatus)},
	key: {Body: Key, status: withUnsaved(keyStatus)},
	editor: {Body: Editor, status: editorStatus},
	review: {Body: Review, status: reviewStatus},
	bulk: {Body: Bulk, status: bulkStatus},
	zones: {Body: Zones, status: zonesStatus},
	accounts: {Body: Accounts, status: accountsStatus},
	firewall: {Body: Firewall, status: firewallStatus},
	wizard: {Body: Wizard, status: wizardStatus},
	emergency: {Body: Emergency, status: emergencyStatus},
	migration: {Body: Migration, status: migrationStatus},
	transfer: {Body: Transfer, status: transferStatus},
	compare: {Body: Compare, status: compareStatus, tellsRead: tellsCompare},
	jobs: {Body: Jobs, status: jobsStatus},
	activity: {Body: Activity, status: activityStatus},
};

/** All of what ledge draws. */
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
	const {columns, rows} = useLedge(state => state.viewport);
	if (fits({columns, rows})) return <Whole columns={columns} rows={rows} />;
	return (
		<Box height={rows} overflow="hidden">
			<Text>{`ledge needs ${leastSize.columns}×${leastSize.rows}; this is ${columns}×${rows}. Make the window larger, or ctrl-c.`}</Text>
		</Box>
	);
}

function Whole({columns, rows}: {readonly columns: number; readonly rows: number}): ReactElement {
	const dialog = useLedge(state => state.dialog);
	const screen = useLedge(screenOf);
	const {Body} = views[screen];
	return (
		<Frame
			rows={rows}
			header={<Place columns={columns} />}
			status={<Status columns={columns} />}
			hints={<Keyhints columns={columns} />}
		>
			{dialog ? <DialogView dialog={dialog} columns={columns} rows={bodyRows(rows)} /> : <Body />}
		</Frame>
	);
}

function Place({columns}: {readonly columns: number}): ReactElement {
	const path = useLedge(pathOf);
	const badges = useLedge(badgesOf);
	const account = useLedge(accountOf);
	return (
		<Header
			path={path.split('\n')}
			badges={badges.split('\n').filter(Boolean)}
			account={account}
			columns={columns}
		/>
	);
}

function Status({columns}: {readonly columns: number}): ReactElement {
	const line = useLedge(state => (state.filtering && !state.dialog ? state.line : undefined));
	const {marks} = useTheme();
	const own = useLedge(state => ownStatus(state, marks));
	const tellsRead = useLedge(state => views[screenOf(state)].tellsRead?.(state) ?? false);
	if (line) return <FilterLine line={line} found={own} columns={columns} />;
	return <StatusLine own={own} tellsRead={tellsRead} columns={columns} />;
}

/** What the screen in front says by itself, beside how far a bulk run is that goes on behind it. */
function ownStatus(state: LedgeState, marks: Marks): string {
	const screen = screenOf(state);
	// The jobs have a row for each.
	const behind = [
		screen === 'bulk' || screen === 'jobs' ? '' : bulkBrief(state.bulk),
		screen === 'transfer' || screen === 'jobs' ? '' : transferBrief(state.transfer),
	]
		.filter(Boolean)
		.join('   ');
	const own = views[screen].status(state, marks);
	return behind === '' ? own : `${behind}   ${own}`;
}

function Keyhints({columns}: {readonly columns: number}): ReactElement {
	const {marks} = useTheme();
	const {actions} = useApp();
	const context = useLedge(state => contextOf(asDrawn(state)));
	const ids = useLedge(state =>
		hintedActions(actions, asDrawn(state))
			.map(({id}) => id)
			.join(' '),
	);
	const hints = ids.split(' ').flatMap((id): Hint[] => {
		const action = actions.find(one => one.id === id);
		return action ? [{keys: keyName(action.keys[0], marks), does: action.hint ?? ''}] : [];
	});
	return <Hints key={context} hints={hints} columns={columns} />;
}
