import { params, texts } from '../catalogue.ts';

export const t = texts('sign-in', {
  backToSignIn: 'Back to sign-in',
  changePassword: 'Change password',
  email: 'E-mail',
  enterEmail: 'Enter your e-mail address, e.g. ada@example.com.',
  forgotPassword: 'Forgot your password?',
  hidePassword: 'Hide password',
  linkSent: 'If this e-mail address is known, a link is on its way. It works once, for 15 minutes.',
  newPassword: 'New password',
  password: 'Password',
  passwordChanged: 'Your password has been changed. You have been signed out everywhere.',
  passwordLength: 'At least 8 characters.',
  requestNewLink: 'Request a new link',
  resetSent: params('If an account exists for {email}, we have sent a link to reset the password.'),
  resetYourPassword: 'Reset your password',
  sendResetLink: 'Send reset link',
  sendSignInLink: 'E-mail me a sign-in link',
  setNewPassword: 'Set a new password',
  showPassword: 'Show password',
  signIn: 'Sign in',
  signsInOnce: 'This link signs you in once.',
});
