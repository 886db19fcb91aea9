import {Box, Text} from 'ink';
import type {ComponentType, ReactElement} from 'react';
import {Frame, Header, type Hint, Hints} from '../components/frame.tsx';
import {bodyRows, fits, leastSize} from '../components/layout.ts';
import {type Marks, type Theme, ThemeContext, useTheme} from '../components/theme.ts';
import {bulkBrief} from '../store/bulk-state.ts';
import type {LedgeState} from '../store/ledge-store.ts';
import {asDrawn} from '../store/migration-curtain.ts';
import {type Screen, screenOf} from '../store/navigation-slice.ts';
import {transferBrief} from '../store/transfer-state.ts';
import {Accounts, accountsStatus} from './accounts.tsx';
import {type App, contextOf} from './action.ts';
import {hintedActions} from './action-lists.ts';
import {Activity, activityStatus} from './activity.tsx';
import {Bulk, bulkStatus} from './bulk.tsx';
import {Compare, compareStatus, tellsCompare} from './compare/compare.tsx';
import {DialogView} from './dialog.tsx';
import {Editor} from './editor/editor.tsx';
import {withUnsaved} from './editor/unsaved.ts';
import {editorStatus} from './editor/verdict.ts';
import {Emergency, emergencyStatus} from './firewall/emergency.tsx';
import {Firewall, firewallStatus} from './firewall/firewall.tsx';
import {Wizard, wizardStatus} from './firewall/wizard.tsx';
import {Zones, zonesStatus} from './firewall/zones.tsx';
import {Home, homeStatus} from './home.tsx';
import {Jobs, jobsStatus} from './jobs.tsx';
import {Key} from './key/key.tsx';
import {keyStatus} from './key/status.ts';
import {keyName} from './key-names.ts';
import {Keys, keysStatus} from './keys.tsx';
import {Migration, migrationStatus} from './migration/migration.tsx';
import {Namespaces, namespaceStatus} from './namespaces.tsx';
import {accountOf, badgesOf, pathOf} from './place.ts';
import {Review, reviewStatus} from './review/review.tsx';
import {FilterLine, StatusLine} from './status.tsx';
import {Transfer, transferStatus} from './transfer/transfer.tsx';
import {AppProvider, useApp, useLedge} from './use-ledge.ts';

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
