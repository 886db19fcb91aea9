import {render, Text} from 'ink';
import {createElement} from 'react';

// The least that an Ink program can draw: what `ledge` to the first frame is set beside (screens.ts).
render(createElement(Text, null, 'one line of text'), {interactive: true});
