import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {toDrawable} from '../text/columns.ts';
import {cutEnd, cutMiddle} from '../text/cut.ts';
import {List} from './list.tsx';
import {useTheme} from './theme.ts';

/** Something to choose below a line instead of typing it. `texts` are searched for what is typed. */
export type Suggestion = {
	readonly value: string;
	readonly label: string;
	readonly texts: readonly string[];
	/** True if it is listed only when what is typed matches it. */
	readonly isSearchOnly?: boolean;
};

export type Suggestions = {
	readonly all: readonly Suggestion[];
	/** The selected one; the first match if it does not match. */
	readonly selectedValue?: string | undefined;
	/** Why there may be more of them. */
	readonly note?: string | undefined;
};

/** Lists what contains the typed text, ignoring case: equal texts first, then those that begin with it. */
export function listMatches({all}: Suggestions, typed: string): readonly Suggestion[] {
	const query = typed.trim().toLowerCase();
	if (query === '') return all.filter(({isSearchOnly}) => !isSearchOnly);
	const rank = ({texts}: Suggestion) =>
		Math.min(
			...texts.map(text => {
				const index = text.toLowerCase().indexOf(query);
				return index === -1
					? Number.POSITIVE_INFINITY
					: text.length === query.length
						? -1
						: Math.min(index, 1);
			}),
		);
	return all
		.map(suggestion => ({suggestion, order: rank(suggestion)}))
		.filter(({order}) => order !== Number.POSITIVE_INFINITY)
		.sort((one, other) => one.order - other.order)
		.map(({suggestion}) => suggestion);
}

/** Returns the index of the selected match; 0 if none is selected. */
const findSelectedIndex = (matches: readonly Suggestion[], {selectedValue}: Suggestions): number =>
	Math.max(
		0,
		matches.findIndex(({value}) => value === selectedValue),
	);

/** Returns the selected match, `distance` rows further; undefined if nothing matches. */
export function getSelectedSuggestion(
	suggestions: Suggestions,
	typed: string,
	distance = 0,
): Suggestion | undefined {
	const matches = listMatches(suggestions, typed);
	const index = findSelectedIndex(matches, suggestions) + distance;
	return matches[Math.max(0, Math.min(matches.length - 1, index))];
}

/** Draws the matches in `rows`, and the note in one more row if there is one. */
export function SuggestionList({
	suggestions,
	typed,
	isRefused,
	columns,
	rows,
}: {
	readonly suggestions: Suggestions;
	readonly typed: string;
	/** True if what is typed cannot be taken. */
	readonly isRefused: boolean;
	readonly columns: number;
	readonly rows: number;
}): ReactElement {
	const {current, cursorBar, dim, marks} = useTheme();
	const matches = listMatches(suggestions, typed);
	const noMatchRows = matches.length === 0 && rows > 0 ? 1 : 0;
	return (
		<Box flexDirection="column">
			{noMatchRows > 0 && (
				<Text {...dim}>
					{cutEnd(isRefused ? '  No match.' : `  No match; ${marks.enter} takes what is typed.`, columns)}
				</Text>
			)}
			<List
				count={matches.length}
				cursor={findSelectedIndex(matches, suggestions)}
				height={rows - noMatchRows}
				renderRow={(index, isCurrent) => (
					<Text {...(isCurrent ? {...current, ...cursorBar} : {})} wrap="truncate">
						{isCurrent ? marks.current : ' '}{' '}
						{cutMiddle(toDrawable(matches[index]?.label ?? ''), columns - 2)}
					</Text>
				)}
			/>
			{suggestions.note !== undefined && (
				<Text {...dim}>{cutEnd(`  ${toDrawable(suggestions.note)}`, columns)}</Text>
			)}
		</Box>
	);
}
