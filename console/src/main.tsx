import { render } from 'preact';

import { followClock } from './api/clock';
import { Layout } from './app/layout';
import './style/app.css';

followClock();
render(<Layout />, document.getElementById('app')!);
