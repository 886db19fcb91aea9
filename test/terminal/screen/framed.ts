import stringWidth from 'string-width';

/** Draws a frame around the rows of a screen, for the message of a failed test. */
export function addFrame(lines: readonly string[], columns: number, title: string): string {
	const top = `╭─ ${title} ${'─'.repeat(Math.max(0, columns - stringWidth(title) - 3))}╮`;
	const body = lines.map(line => `│${line}${' '.repeat(Math.max(0, columns - stringWidth(line)))}│`);
	return [top, ...body, `╰${'─'.repeat(columns)}╯`].join('\n');
}

/** The last bytes of an output, with everything that does something to a terminal written out. */
export function lastBytes(output: string, maxLength = 200): string {
	const escapedText = JSON.stringify(output.slice(-maxLength)).replace(
		/[\u007f-\u009f]/g,
		control => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return output.length > maxLength ? `… ${escapedText}` : escapedText;
}
