import {Text} from 'ink';
import type {ReactElement} from 'react';
import {ProgressBar} from '../../components/progress-bar.tsx';
import {useTheme} from '../../components/theme.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitted} from '../../text/cut.ts';
import type {Fact} from '../bulk/facts.ts';

/** Columns left of what is said: a margin, and what it is about. */
export const factMargin = 3;
const nameColumns = 13;
/** Columns of the bar at most. */
const widestBar = 60;

/** Columns of what is said on a screen of so many. */
export const factColumns = (columns: number): number => columns - factMargin - nameColumns - 1;

/** A fact about long work: what it is about, a bar where there is one, and what is to be said. */
export function FactLine({fact, columns}: {readonly fact: Fact; readonly columns: number}): ReactElement {
	const {dim, warning, danger, good, marks} = useTheme();
	const {name, text, tone = 'plain', share, isPath} = fact;
	const looks = {plain: {}, warning, failed: danger, good};
	const mark = {plain: '', warning: `${marks.warning} `, failed: `${marks.failed} `, good: `${marks.done} `};
	const said = drawable(`${mark[tone]}${text}`);
	const bar = share === undefined ? 0 : Math.min(widestBar, columns - columnsOf(said) - 2);
	return (
		<Text wrap="truncate">
			<Text {...dim}>{fitted(name, nameColumns)}</Text>
			{share !== undefined && bar > 4 ? (
				<>
					<ProgressBar share={share} columns={bar} />
					{'  '}
				</>
			) : null}
			<Text {...looks[tone]}>{isPath ? cutMiddle(said, columns) : cutEnd(said, columns)}</Text>
		</Text>
	);
}
