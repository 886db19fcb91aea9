import {Box, Text} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {type Theme, useTheme} from '../../components/theme.ts';
import {drawPicture, type Picture} from '../../decoding/pixels.ts';

/** Columns left of a picture, like those of other values. */
const marginColumns = 3;

/** An image drawn as half blocks in colours, or in shades where the terminal has too few colours. */
export const PictureRows = memo(
	({
		picture,
		columns,
		height,
	}: {
		readonly picture: Picture;
		readonly columns: number;
		readonly height: number;
	}): ReactElement => {
		const theme = useTheme();
		const hasColors = canDrawColors(theme);
		const {shades} = theme.marks;
		const noteRows = hasColors ? 0 : 1;
		const rows = useMemo(
			() =>
				drawPicture(picture, columns - 2 * marginColumns, height - noteRows, hasColors ? undefined : shades),
			[picture, columns, height, noteRows, hasColors, shades],
		);
		if (theme.isSpoken) return <Text>The image is not read aloud.</Text>;
		return (
			<Box flexDirection="column" height={height} paddingLeft={marginColumns} overflow="hidden">
				{!hasColors && (
					<Text {...theme.dim} wrap="truncate">
						Drawn in shades: this terminal shows too few colors.
					</Text>
				)}
				{rows.map((runs, row) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the rows of a picture have no other identity.
					<Text key={row} wrap="truncate">
						{runs.map(({text, ...colors}, index) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: nor have the cells.
							<Text key={index} {...colors}>
								{text}
							</Text>
						))}
					</Text>
				))}
			</Box>
		);
	},
);

/** Minimum bits of a colour to recognise an image. */
const minColorDepth = 8;

/** True if half blocks in colours can be told apart: UTF-8, and 256 colours. */
const canDrawColors = ({name, colorDepth = minColorDepth, marks}: Theme): boolean =>
	name !== 'none' && colorDepth >= minColorDepth && marks.bar[0] === '█';
