import {Box, Text} from 'ink';
import {type ReactElement, useLayoutEffect} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {Select} from '../../components/menu.tsx';
import {useTheme} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import {cutEnd} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {ExpressionText, ExpressionView, lengthOf} from '../expression-editor/view.tsx';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {Ended} from '../stepped-form/ended.tsx';
import {aboutActions, emergencyActions} from '../stepped-form/words.ts';
import {choicesOf} from './endings.ts';
import {layoutOf} from './layout.ts';
import {rowsOf} from './lines.ts';
import {outcomeOf} from './outcome.ts';
import {describeTargets, draftOf, type EmergencyState, type Ending, requestsOf} from './state.ts';

/**
 * A block in force now, on one screen: the expression, the action, what it does not protect from,
 * and the one request as it will be sent.
 */
export function Emergency(): ReactElement {
	const app = useApp();
	const emergency = useLedge(state => state.emergency.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {stage, phase, way, order, top} = emergency ?? {};
	const about = phase?.name === 'ended' ? phase.ending : phase?.name;
	// What is known of the other rules is above the request, which it moves.
	const rules = useLedge(state => (phase?.name === 'asking' ? state.firewall.data?.rules : undefined));
	useLayoutEffect(
		() => app.state().emergency.form.drawn([stage, about, way, order, top, rules]),
		[app, stage, about, way, order, top, rules],
	);
	if (!emergency) return <Empty title="There is no emergency here." next="esc goes back" />;
	const height = bodyRows(rows);
	const layout = layoutOf(emergency, columns, height);
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			<Heading lines={layout.heading} />
			{emergency.phase.name === 'ended' ? (
				<Result
					emergency={emergency}
					ending={emergency.phase.ending}
					cursor={emergency.phase.cursor}
					columns={columns}
					rows={height - layout.heading.length}
				/>
			) : (
				<>
					{emergency.phase.name === 'asking' && emergency.stage === 'expression' ? (
						<ExpressionView
							editing={emergency.editing}
							columns={columns}
							rows={layout.expression}
							meant={describeTargets(emergency)}
							asks="What to block: an address, a network, a path (203.0.113.7, 10.0.0.0/8, /wp-login.php), or an expression."
						/>
					) : (
						<Box flexDirection="column" height={layout.expression} overflow="hidden" flexShrink={0}>
							<ExpressionText
								analysis={emergency.editing.analysis}
								columns={columns}
								rows={layout.expression}
							/>
						</Box>
					)}
					<ActionPart emergency={emergency} columns={columns} rows={layout.action} />
					<Below emergency={emergency} rows={layout.below} />
				</>
			)}
		</Box>
	);
}

type PartProps = {readonly emergency: EmergencyState; readonly columns: number; readonly rows: number};

/** What this is, in red. */
function Heading({lines}: {readonly lines: readonly string[]}): ReactElement {
	const {danger} = useTheme();
	return (
		<Box flexDirection="column" height={lines.length} flexShrink={0}>
			<Text {...danger}>{lines.map(line => `   ${line}`).join('\n')}</Text>
		</Box>
	);
}

/** What a matching request meets: the choice while it is made, one line else. */
function ActionPart({emergency, columns, rows}: PartProps): ReactElement | null {
	const app = useApp();
	const {dim, here} = useTheme();
	const {stage, action, phase} = emergency;
	const {priority} = draftOf(emergency);
	if (rows === 0) return null;
	if (stage !== 'action' || phase.name !== 'asking')
		return (
			<Box height={rows} flexShrink={0}>
				<Text wrap="truncate">
					<Text {...dim}>{'   action  '}</Text>
					<Text {...here}>{typeof priority === 'number' ? `${action}, priority ${priority}` : action}</Text>
					<Text {...dim}>{`  ${aboutActions[action]}`}</Text>
				</Text>
			</Box>
		);
	return (
		<Box height={rows} paddingLeft={2} flexDirection="column" flexShrink={0} overflow="hidden">
			<Select
				limit={Math.min(rows, emergencyActions.length)}
				items={emergencyActions.map(value => ({
					label: cutEnd(`${value.padEnd(18)}  ${aboutActions[value]}`, columns - 8),
					value,
				}))}
				initialIndex={emergencyActions.indexOf(action)}
				onSelect={({value}) => app.state().emergency.chooseAction(value)}
			/>
		</Box>
	);
}

/** What it does not protect from, and the request. */
function Below({emergency, rows: height}: Omit<PartProps, 'columns'>): ReactElement {
	const {marks} = useTheme();
	const connection = useLedge(state => state.connection.data);
	const firewall = useLedge(state => state.firewall.data);
	const viewport = useLedge(state => state.navigation.viewport);
	const {phase, stage, top} = emergency;
	if (phase.name === 'sending' || phase.name === 'reading') return <Waiting phase={phase} />;
	const {rows} = rowsOf(
		emergency,
		{connection: {data: connection}, firewall: {data: firewall}, navigation: {viewport}},
		marks,
	);
	return <ScrolledRows rows={rows} top={top} height={height} hint={stage === 'send' ? ': space' : ''} />;
}

function Waiting({
	phase,
}: {
	readonly phase: Extract<EmergencyState['phase'], {name: 'sending' | 'reading'}>;
}): ReactElement {
	const {marks, here, dim} = useTheme();
	const doing =
		phase.name === 'reading'
			? `reading ${phase.what}`
			: phase.doing !== 'looking'
				? phase.doing === 'rule'
					? 'sending it'
					: 'undoing it'
				: 'the answer was lost: reading the current state';
	return (
		<Box flexDirection="column" paddingTop={1}>
			<Text {...here}>{`   ${marks.now} ${doing}`}</Text>
			<Text {...dim}>
				{phase.name === 'reading'
					? '   esc stops it'
					: '   It continues if you leave; c stops it and reports the current state.'}
			</Text>
		</Box>
	);
}

function Result({
	emergency,
	ending,
	...place
}: PartProps & {readonly ending: Ending; readonly cursor: number}): ReactElement {
	const app = useApp();
	return (
		<Ended
			{...place}
			outcome={outcomeOf(emergency, ending)}
			choices={choicesOf(emergency)}
			titleRows={3}
			blanks={{facts: 0, choices: 1}}
			onPoint={at => app.state().emergency.form.point(at)}
			onChoose={choice => void app.state().emergency.decide(choice)}
		/>
	);
}

/** The line below: what enter does next, and that nobody has seen it yet. */
export function emergencyStatus({emergency: {data: emergency}}: Has<'emergency'>): string {
	if (emergency?.phase.name !== 'asking') return '';
	const {stage, editing, way} = emergency;
	switch (stage) {
		case 'expression':
			return `${lengthOf(editing)}, not sent to anyone yet`;
		case 'action':
			return 'nothing has been sent; other actions: the rule wizard';
		case 'send':
			return `${counted(requestsOf(emergency)?.length ?? 1, 'request')}, nothing has been sent${way.form === 'custom rule' && !way.plan ? ', not read yet' : ''}`;
		default:
			return stage satisfies never;
	}
}
