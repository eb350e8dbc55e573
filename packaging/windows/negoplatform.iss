; The installer for Windows, made with Inno Setup 6 from dist\NegoPlatform:
;   iscc /DVersion=0.1.0 packaging\windows\negoplatform.iss
; For one user, without an administrator. Untried: written on Linux.

#ifndef Version
  #error Name the version, as pyproject.toml has it: /DVersion=0.1.0
#endif

[Setup]
AppId={{6B0A5E0E-6C0F-4F0B-9B51-5B1B6F7B4D0A}
AppName=NegoPlatform
AppVersion={#Version}
AppPublisher=The NegoPlatform authors
VersionInfoVersion={#Version}
SourceDir=..\..
OutputDir=dist
OutputBaseFilename=NegoPlatform-{#Version}-windows-setup
LicenseFile=LICENSE
SetupIconFile=build\app\negoplatform.ico
UninstallDisplayIcon={app}\NegoPlatform.exe
DefaultDirName={autopf}\NegoPlatform
DefaultGroupName=NegoPlatform
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
Compression=lzma2
SolidCompression=yes
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"
Name: "he"; MessagesFile: "compiler:Languages\Hebrew.isl"

[Files]
Source: "dist\NegoPlatform\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[InstallDelete]
; What an older version had and this one has not must not be found by it. Agents beside the program stay.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\NegoPlatform"; Filename: "{app}\NegoPlatform.exe"; AppUserModelID: "NegoPlatform.NegoPlatform"

[Registry]
; "Open with" for session logs; other programs keep what they open.
Root: HKA; Subkey: "Software\Classes\.jsonl\OpenWithProgids"; ValueType: string; ValueName: "NegoPlatform.Log"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\NegoPlatform.Log"; ValueType: string; ValueData: "Negotiation session log"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\NegoPlatform.Log\DefaultIcon"; ValueType: string; ValueData: "{app}\NegoPlatform.exe,0"
Root: HKA; Subkey: "Software\Classes\NegoPlatform.Log\shell\open\command"; ValueType: string; ValueData: """{app}\NegoPlatform.exe"" ""%1"""

[Run]
Filename: "{app}\NegoPlatform.exe"; Description: "{cm:LaunchProgram,NegoPlatform}"; Flags: nowait postinstall skipifsilent
