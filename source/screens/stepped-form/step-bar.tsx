import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {useTheme} from '../../components/theme.ts';

/** The steps: `✓` done, `●` current, `○` pending. On two rows if there is room. */
export function StepBar({
	names,
	currentIndex,
	rows,
}: {
	readonly names: readonly string[];
	/** Index of the current step; the number of steps when all are done. */
	readonly currentIndex: number;
	readonly rows: number;
}): ReactElement {
	const {marks, current, good, dim} = useTheme();
	const getStepLook = (index: number) =>
		index < currentIndex
			? ({look: good, mark: marks.done} as const)
			: index === currentIndex
				? ({look: current, mark: marks.now} as const)
				: ({look: dim, mark: marks.pending} as const);
	const titles = names.map((name, index) => `${index + 1} ${name}`);
	return (
		<Box flexDirection="column" height={rows} flexShrink={0}>
			<Text wrap="truncate">
				{'   '}
				{titles.map((title, index) => (
					<Text key={title} {...getStepLook(index).look}>
						{rows > 2 ? `${title}   ` : `${getStepLook(index).mark} ${title}   `}
					</Text>
				))}
			</Text>
			{rows > 2 && (
				<Text wrap="truncate">
					{'   '}
					{titles.map((title, index) => (
						<Text key={title} {...getStepLook(index).look}>
							{getStepLook(index).mark.padEnd(title.length + 3)}
						</Text>
					))}
				</Text>
			)}
		</Box>
	);
}
